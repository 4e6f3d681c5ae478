/** Questions that must be answered before something goes on: one at a time, over everything else. */
export interface Question {
  title: string;
  text?: string;
  /** What the button says that does it. */
  yes: string;
  danger?: boolean;
  /** A line to fill in; the answer is its text. */
  input?: { label: string; value: string; hint?: string; check?: (value: string) => string | null };
}

class Asking {
  question = $state.raw<Question | null>(null);
  #answer: ((answer: string | null) => void) | undefined;

  /** The text of the line (empty without one), or `null` for no. */
  ask(question: Question): Promise<string | null> {
    this.answer(null);
    this.question = question;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  answer(answer: string | null): void {
    this.question = null;
    this.#answer?.(answer);
    this.#answer = undefined;
  }
}

export const asking = new Asking();
