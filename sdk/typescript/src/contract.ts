/**
 * What the daemon's own document says about a call: what is sent, what comes back.
 *
 * Everything here is computed from `schema.ts`, so that a route that changes breaks the build of who calls it.
 */
import type { components, paths } from "./schema.js";

export type Schemas = components["schemas"];
export type Path = keyof paths;
export type Method = "get" | "put" | "post" | "patch" | "delete";

type Operation<P extends Path, M extends Method> = NonNullable<paths[P][M]>;

type Json<T> = T extends { content: { "application/json": infer Value } } ? Value : void;

type Success<R> = keyof R & (200 | 201 | 202 | 204);

/** What a call answers when all is well. */
export type Answer<P extends Path, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? { [S in Success<R>]: Json<R[S]> }[Success<R>] : never;

/** The JSON object that a call takes. */
export type Body<P extends Path, M extends Method> =
  Operation<P, M> extends { requestBody?: infer R } ? NonNullable<Json<NonNullable<R>>> : never;

/** The query of a call. */
export type Query<P extends Path, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** All that a call sends; what the document requires is required, and a method that a path lacks takes nothing. */
export type Sent<P extends Path, M extends Method> = [Operation<P, M>] extends [never]
  ? never
  : Operation<P, M> extends { parameters: infer T }
    ? Pick<T, keyof T & ("query" | "path")> & { body?: Body<P, M> }
    : never;
