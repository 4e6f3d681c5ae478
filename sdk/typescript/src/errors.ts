/** What goes wrong, in one shape: a status for the kind, a code for programs, a message for people. */

/** A call that was not done. */
export class LociError extends Error {
  override readonly name: string = "LociError";

  constructor(
    /** The HTTP status; 0 = the daemon was not reached. */
    readonly status: number,
    /** For programs; it never changes. `unreachable` and `invalid_answer` are the client's own. */
    readonly code: string,
    message: string,
    /** The seconds after which another try makes sense, if the daemon says so. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A file is not what the caller has seen; nothing was changed. */
export class ConflictError extends LociError {
  override readonly name = "ConflictError";

  constructor(
    message: string,
    /** The version that is there now; `null` = nothing is there. */
    readonly sha256: string | null,
  ) {
    super(409, "conflict", message);
  }
}

/** The error that a refusal of the daemon means. `text` is its body, which something between may have replaced. */
export function refusal(status: number, text: string, retryAfter: string | null): LociError {
  const body = parsed(text);
  const message = typeof body["error"] === "string" ? body["error"] : `the daemon answered ${status}`;
  const code = typeof body["code"] === "string" ? body["code"] : "invalid_answer";
  const sha256 = body["sha256"];
  if (status === 409 && code === "conflict" && (typeof sha256 === "string" || sha256 === null)) {
    return new ConflictError(message, sha256);
  }
  return new LociError(status, code, message, seconds(retryAfter));
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function seconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}
