import type * as z from "zod/mini";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `public` anyone; `signed-in` any member of an organisation; `editor` any member but a viewer;
 * `org_admin` the organisation's administrators; `super_admin` the platform's; `key` a program with a twin's key, outside /api.
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
  /** Fastify's form: `/api/digital-twins/:id`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * Whether somebody may call it whose e-mail is not confirmed yet: an account may have been made with another's address. Reading and
   * taking away are allowed, and what is public; whatever makes or changes something says so itself.
   */
  readonly beforeConfirmation: boolean;
  /** Status of the answer when it succeeds. */
  readonly status: number;
  /** One line for the generated documentation. */
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  readonly input: Input;
  readonly output: Output;
  /** Headers of its own, for the documentation. */
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

/** Declares one call: `endpoint("GET /api/digital-twins/:id", { access: "signed-in", … })`. */
export function endpoint<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Input extends Schema | undefined = undefined,
  Output extends Schema | undefined = undefined,
>(
  route: `${Method} /${string}`,
  definition: Definition<Params, Query, Input, Output>,
): Endpoint<Params, Query, Input, Output> {
  const [method, path] = route.split(" ") as [Method, `/${string}`];
  return {
    method,
    path,
    access: definition.access,
    beforeConfirmation:
      definition.beforeConfirmation ?? (method === "GET" || method === "DELETE" || definition.access === "public"),
    summary: definition.summary,
    status: definition.status ?? (definition.output === undefined ? 204 : 200),
    params: definition.params as Params,
    query: definition.query as Query,
    input: definition.input as Input,
    output: definition.output as Output,
    headers: definition.headers,
  };
}

/** What a schema accepts, or undefined where the endpoint has none. */
export type In<S> = S extends Schema ? z.input<S> : undefined;
/** What a schema yields, or undefined where the endpoint has none. */
export type Out<S> = S extends Schema ? z.output<S> : undefined;
