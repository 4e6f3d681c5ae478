/** What an agent would be given: memories for a question, and the whole context. */
import type { Body, Query } from "./contract.js";
import type { CallOptions, Http } from "./http.js";
import type { Receipt } from "./shapes.js";

export const recallCalls = (http: Http) => ({
  /** The memories that fit a question, best first; what is shown counts as used, unless `count` is false. */
  recall: (question: string | Body<"/memory/recall", "post">, options?: CallOptions) => {
    const body = typeof question === "string" ? { query: question } : question;
    return http.call("post", "/memory/recall", { body }, options);
  },

  /** Exactly what is injected, whole and in parts. */
  context: (query: Query<"/memory/context", "get"> = {}, options?: CallOptions) =>
    http.call("get", "/memory/context", { query }, options),

  /** Why something was shown; `recall` tells the id. */
  receipt: async (id: string, options?: CallOptions) =>
    (await http.call("get", "/receipts/{id}", { path: { id } }, options)) as unknown as Receipt,
});
