/**
 * The one place that talks to the daemon: where it is, the token, the client's name, and what its answers mean.
 *
 * The token goes into a header and nowhere else; addresses end up in logs.
 */
import type { Answer, Method, Path, Sent } from "./contract.js";
import { LociError, refusal } from "./errors.js";

/** Where the daemon is, and who asks. */
export interface ClientOptions {
  /** As `http://127.0.0.1:7676`; empty = where the page came from. */
  baseUrl: string;
  /** As in the file `token` of Loci's home. */
  token: string;
  /** A name from `registerClient` or `createSession`: tasks made under it are seen under it only. */
  clientId?: string | undefined;
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  clientId?: string | undefined;
}

/** What `Sent` is, whatever the call. */
interface Anything {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

interface Request extends CallOptions {
  method: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export class Http {
  readonly #base: string;
  readonly #token: string;
  readonly #clientId: string | undefined;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, token, clientId, fetch: given }: ClientOptions) {
    this.#base = baseUrl.replace(/\/+$/, "");
    this.#token = token;
    this.#clientId = clientId;
    // Browsers refuse a `fetch` that is called as another object's method.
    this.#fetch = given ?? ((input, init) => fetch(input, init));
  }

  /** One call of the document, answered as the document says. */
  async call<P extends Path, M extends Method>(
    method: M,
    path: P,
    sent: Sent<P, M>,
    { signal, clientId }: CallOptions = {},
  ): Promise<Answer<P, M>> {
    const { path: params, query, body }: Anything = sent;
    const response = await this.open(address(path, params, query), { method, body, signal, clientId });
    const text = await reached(response.text(), signal);
    try {
      return (text === "" ? undefined : JSON.parse(text)) as Answer<P, M>;
    } catch (cause) {
      throw new LociError(response.status, "invalid_answer", "the answer is no JSON", undefined, { cause });
    }
  }

  /** A request whose answer is good but not read yet. */
  async open(path: string, { method, headers, body, signal, clientId }: Request): Promise<Response> {
    const client = clientId ?? this.#clientId;
    const init: RequestInit = {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(client === undefined ? {} : { "x-loci-client-id": client }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    };
    const response = await reached(this.#fetch(this.#base + path, init), signal);
    if (response.ok) return response;
    throw refusal(response.status, await reached(response.text(), signal), response.headers.get("retry-after"));
  }
}

/** A failure on the way is an error of ours, but for an abort: that one is the caller's. */
async function reached<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new LociError(0, "unreachable", "the daemon does not answer; is `loci serve` running?", undefined, { cause });
  }
}

function address(template: string, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}
