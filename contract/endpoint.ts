import type * as z from "zod/mini";
import type { Refreshes, Tag } from "./tags.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `public` anyone; `signed-in` any member of an organisation; `editor` any member but a viewer;
 * `org_admin` the organisation's administrators; `super_admin` the platform's administrators, who run the installation; `key` a program
 * with a twin's API key, outside /api.
 */
export type Access = "public" | "signed-in" | "editor" | "org_admin" | "super_admin" | "key";

type Schema = z.ZodMiniType;

export interface Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Input extends Schema | undefined = Schema | undefined,
  Output extends Schema | undefined = Schema | undefined,
> {
  readonly method: Method;
  /** Path in Fastify's notation: `/api/digital-twins/:id`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * Whether a user with an unconfirmed email address may call it; such an account may use another person's address. By default public
   * calls, reading and deleting are allowed; endpoints that create or change something must allow it explicitly.
   */
  readonly beforeConfirmation: boolean;
  readonly status: number;
  readonly tags: readonly Tag[];
  /** Tags of reads that a change makes stale, which the browser then refetches. */
  readonly refreshes: Refreshes;
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  readonly input: Input;
  readonly output: Output;
  readonly headers: Schema | undefined;
}

interface Definition<Params, Query, Input, Output> {
  access: Access;
  beforeConfirmation?: true;
  summary: string;
  status?: number;
  params?: Params;
  query?: Query;
  input?: Input;
  output?: Output;
  headers?: Schema;
}

/** A GET may declare `tags`; every other method must declare `refreshes`. */
type Declared<Route extends string> = Route extends `GET ${string}`
  ? { tags?: readonly Tag[] }
  : { refreshes: Refreshes };

/** Declares one call: `endpoint("GET /api/digital-twins/:id", { access: "signed-in", … })`. */
export function endpoint<
  Route extends `${Method} /${string}`,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Input extends Schema | undefined = undefined,
  Output extends Schema | undefined = undefined,
>(
  route: Route,
  definition: Definition<Params, Query, Input, Output> & Declared<Route>,
): Endpoint<Params, Query, Input, Output> {
  const [method, path] = route.split(" ") as [Method, `/${string}`];
  const declared: { tags?: readonly Tag[]; refreshes?: Refreshes } = definition;
  return {
    method,
    path,
    access: definition.access,
    beforeConfirmation:
      definition.beforeConfirmation ?? (method === "GET" || method === "DELETE" || definition.access === "public"),
    tags: declared.tags ?? [],
    // The type `Declared` requires `refreshes` of every method but GET.
    refreshes: method === "GET" ? "nothing" : declared.refreshes!,
    summary: definition.summary,
    status: definition.status ?? (definition.output === undefined ? 204 : 200),
    params: definition.params as Params,
    query: definition.query as Query,
    input: definition.input as Input,
    output: definition.output as Output,
    headers: definition.headers,
  };
}

/** Input type of the endpoint's schema, or undefined where the endpoint has none. */
export type In<S> = S extends Schema ? z.input<S> : undefined;
/** Output type of the endpoint's schema, or undefined where the endpoint has none. */
export type Out<S> = S extends Schema ? z.output<S> : undefined;
