/** Server-sent events, from text to messages. The text may be cut anywhere. */

/** One message of a stream. */
export interface Message {
  /** What kind it is; `message` when the stream does not say. */
  event: string;
  data: string;
  /** The id to come back with; what the stream said last. */
  id: string | undefined;
}

/** Reads a stream piece by piece, as the HTML standard says; `retry` is passed over: when to come back is ours. */
export class MessageParser {
  #line = "";
  /** The last piece ended in CR: an LF that follows belongs to it. */
  #halfBreak = false;
  #event = "";
  #data: string[] = [];
  #id: string | undefined;

  /** The messages that are complete with this piece. */
  *push(piece: string): Generator<Message> {
    let text = piece;
    if (text === "") return;
    if (this.#halfBreak && text.startsWith("\n")) text = text.slice(1);
    this.#halfBreak = piece.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = this.#take(this.#line + line);
      this.#line = "";
      if (message) yield message;
    }
    this.#line += rest;
  }

  /** One whole line; an empty one ends a message. */
  #take(line: string): Message | undefined {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined; // a comment, as heartbeats are
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #end(): Message | undefined {
    const message = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const empty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return empty ? undefined : message;
  }
}
