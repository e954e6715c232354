/** Mounts contract endpoints: checks the caller's access, validates the input and sends the output. app.ts answers errors. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Endpoint, Out } from "#contract/endpoint.ts";
import type { Role } from "#contract/organizations/auth.ts";
import { forbidden, Problem, unauthorized } from "#server/platform/errors.ts";
import type { FairScheduler } from "#server/platform/process/fair-scheduler.ts";
import type { RunIdempotently } from "./idempotency.ts";

z.config(z.locales.ru());

export interface Caller {
  userId: string;
  organizationId: string;
  role: Role;
  superAdmin: boolean;
  /** Whether the caller is the demo user and manages the installation; read only by `admit`. */
  runsInstallation?: boolean;
  /** Whether the caller's e-mail address is confirmed or they signed in with Telegram. */
  confirmed: boolean;
  sessionId: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the authentication hook of app.ts before any handler runs; null without a session. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The endpoint's access rule in the contract; absent for routes that are not mounted with `route`. */
    access?: Endpoint["access"];
    /** Refused first when the server is overloaded (shed-load.ts). */
    costly?: boolean;
  }
  interface FastifyInstance {
    /** Everything mounted with `route`, for the OpenAPI document and for tests that check all endpoints. */
    endpoints: Endpoint[];
    /** Endpoints outside /api that the OpenAPI document describes too: those for API keys and for visitors of a site. */
    otherEndpoints: Endpoint[];
    /** Whether responses are validated against their schemas; tests do so, production relies on the types. */
    checkAnswers: boolean;
    runIdempotently: RunIdempotently;
    expensiveRequestLimiter: FairScheduler;
  }
}

export class InvalidInput extends Problem {
  constructor(error: z.core.$ZodError) {
    const fields: Record<string, string> = {};
    for (const issue of error.issues) fields[issue.path.map(String).join(".")] ??= issue.message;
    super(400, "invalid_input", error.issues[0]?.message ?? "Неверный запрос", { fields });
  }
}

/**
 * Validates input.
 * @throws InvalidInput (400) with the contract's Russian sentences
 */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value);
  if (!result.success) throw new InvalidInput(result.error);
  return result.data;
}

/** @throws Problem 401 when no one is signed in, 403 when the caller's role is insufficient or the e-mail address is not confirmed */
function admit(
  request: FastifyRequest,
  { access, beforeConfirmation }: Pick<Endpoint, "access" | "beforeConfirmation">,
): Caller | null {
  const { caller } = request;
  if (access === "public") return caller;
  if (caller === null) throw unauthorized();
  const allowed =
    access === "signed-in" ||
    (access === "editor" && caller.role !== "viewer") ||
    (access === "org_admin" && caller.role === "org_admin") ||
    (access === "super_admin" && caller.superAdmin);
  if (!allowed) throw forbidden("forbidden", "Недостаточно прав для этого действия");
  if (!caller.confirmed && !beforeConfirmation) {
    throw forbidden("email_unconfirmed", "Сначала подтвердите email: откройте ссылку из письма или запросите новое");
  }
  return caller;
}

interface Call<E extends Endpoint> {
  caller: E["access"] extends "public" ? Caller | null : Caller;
  params: Out<E["params"]>;
  query: Out<E["query"]>;
  input: Out<E["input"]>;
  request: FastifyRequest;
  reply: FastifyReply;
}

// A handler without an answer simply returns.
// biome-ignore lint/suspicious/noConfusingVoidType: only `void` lets it have no return statement.
type Answer<E extends Endpoint> = E["output"] extends z.ZodMiniType ? z.input<E["output"]> : void;

interface MountOptions {
  /** The handler reads the body itself (multipart, streams): `input` is then not validated here. */
  rawBody?: boolean;
  rateLimit?: { max: number; timeWindow: string };
  /** The response contains a secret, so it is not stored for an `Idempotency-Key`. */
  secretAnswer?: boolean;
  /** The call only reads, so it may be executed again, and its response is not stored for an `Idempotency-Key`. */
  readsOnly?: boolean;
  /**
   * The call is expensive: a user and an organisation may run only a few at once (platform/process/fair-scheduler.ts), and an overloaded
   * server refuses it first. `alone`: only the latter, because it acquires its slots itself or holds one for too long.
   */
  costly?: boolean | "alone";
  /** The response never ends on its own: a stopping server does not wait for it. */
  endless?: boolean;
}

/** Returns a signal that aborts when the client's connection closes before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Whether the response is a stream, even one whose client has disconnected, so that nothing more may be sent here. */
const isStream = (reply: FastifyReply, answer: unknown) =>
  reply.sent || reply.raw.headersSent || answer instanceof Readable;

/** Mounts `endpoint`; the handler returns the body, or nothing when it has used `reply` itself (streams). */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>> | Answer<E>,
  options: MountOptions = {},
): void {
  app.endpoints.push(endpoint);
  const checked = (answer: unknown) => {
    if (app.checkAnswers && endpoint.output !== undefined) z.parse(endpoint.output, answer);
    return answer;
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      access: endpoint.access,
      ...(options.rateLimit && { rateLimit: options.rateLimit }),
      ...(options.costly && { costly: true }),
      ...(options.endless && { endless: true }),
    },
    handler: async (request, reply) => {
      const caller = admit(request, endpoint);
      const call = {
        caller,
        params: endpoint.params && parse(endpoint.params, request.params),
        query: endpoint.query && parse(endpoint.query, request.query),
        input: endpoint.input && options.rawBody !== true ? parse(endpoint.input, request.body) : undefined,
        request,
        reply,
      } as Call<E>;
      const handle = async () =>
        options.costly === true && caller !== null
          ? app.expensiveRequestLimiter.run(caller, disconnectSignal(reply), () => handler(call))
          : handler(call);
      const key = request.headers["idempotency-key"];
      // Sign-in calls are excluded, because their responses contain tokens and their bodies passwords.
      const keyed =
        endpoint.method === "POST" &&
        endpoint.access !== "public" &&
        options.secretAnswer !== true &&
        options.readsOnly !== true &&
        caller !== null &&
        typeof key === "string" &&
        !request.isMultipart();
      if (!keyed) {
        const answer = await handle();
        return isStream(reply, answer) ? answer : reply.code(endpoint.status).send(checked(answer));
      }
      let stream: unknown;
      const { method, url, body } = request;
      const { answer, replayed } = await app.runIdempotently(caller, { key, method, url, body }, async () => {
        const result = await handle();
        if (!isStream(reply, result)) return { status: endpoint.status, body: checked(result) };
        stream = result;
        return null;
      });
      if (answer === null) return stream;
      if (replayed) reply.header("idempotent-replayed", "true");
      return reply.code(answer.status).send(answer.body);
    },
  });
}
