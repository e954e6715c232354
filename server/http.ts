/** Mounts a contract endpoint: who may call, what comes in, what goes out. Errors are answered in app.ts. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Role } from "#contract/auth.ts";
import type { Endpoint, Out } from "#contract/endpoint.ts";
import { forbidden, Problem, unauthorized } from "./errors.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { AnswerOnce } from "./idempotency.ts";

z.config(z.locales.ru());

/** The signed-in caller, as the session says. */
export interface Viewer {
  userId: string;
  organizationId: string;
  role: Role;
  superAdmin: boolean;
  /** Their e-mail is confirmed, or they came by Telegram. */
  confirmed: boolean;
  sessionId: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the authentication hook of app.ts before any handler runs; null when nobody is signed in. */
    viewer: Viewer | null;
  }
  interface FastifyInstance {
    /** Everything mounted with `on`, for the OpenAPI document and for tests that walk all endpoints. */
    endpoints: Endpoint[];
    /** What programs with a key and visitors of a site call, outside /api, for the OpenAPI document. */
    otherEndpoints: Endpoint[];
    /** Check answers against their schemas (tests do; production believes its types). */
    checkAnswers: boolean;
    /** Carries a POST with an `Idempotency-Key` out once. */
    answerOnce: AnswerOnce;
    /** At what costs much. */
    turns: FairTurns;
  }
}

/** 400 with a sentence per field. */
export class InvalidInput extends Problem {
  constructor(error: z.core.$ZodError) {
    const fields: Record<string, string> = {};
    for (const issue of error.issues) fields[issue.path.map(String).join(".")] ??= issue.message;
    super(400, "invalid_input", error.issues[0]?.message ?? "Неверный запрос", { fields });
  }
}

/**
 * Validates at the edge.
 * @throws InvalidInput (400) with the contract's Russian sentences
 */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value);
  if (!result.success) throw new InvalidInput(result.error);
  return result.data;
}

/**
 * @throws Problem 401 when nobody is signed in, 403 when the caller's role does not reach or their e-mail is not confirmed
 */
export function admit(
  request: FastifyRequest,
  { access, beforeConfirmation }: Pick<Endpoint, "access" | "beforeConfirmation">,
): Viewer | null {
  const { viewer } = request;
  if (access === "public") return viewer;
  if (viewer === null) throw unauthorized();
  const allowed =
    access === "signed-in" ||
    (access === "editor" && viewer.role !== "viewer") ||
    (access === "org_admin" && viewer.role === "org_admin") ||
    (access === "super_admin" && viewer.superAdmin);
  if (!allowed) throw forbidden("forbidden", "Недостаточно прав для этого действия");
  if (!viewer.confirmed && !beforeConfirmation) {
    throw forbidden("email_unconfirmed", "Сначала подтвердите email: откройте ссылку из письма или запросите новое");
  }
  return viewer;
}

export interface Call<E extends Endpoint> {
  viewer: E["access"] extends "public" ? Viewer | null : Viewer;
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
  /** @fastify/rate-limit's per-route setting. */
  rateLimit?: { max: number; timeWindow: string };
  /** The answer holds a secret: it is not kept for an `Idempotency-Key`. */
  secretAnswer?: boolean;
  /** It costs much: a user and an organisation have few turns at once (fair-turns.ts). */
  costly?: boolean;
}

/** Aborts when the reader's connection closes before the answer is out. */
export function leavingReader(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Also one that its reader has left: nothing has ended then, and nothing more may be sent. */
const isStream = (reply: FastifyReply, answer: unknown) =>
  reply.sent || reply.raw.headersSent || answer instanceof Readable;

/** Mounts `endpoint`; the handler's answer is the body, or nothing when it answered by `reply` itself (streams). */
export function on<E extends Endpoint>(
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
    config: options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit },
    handler: async (request, reply) => {
      const viewer = admit(request, endpoint);
      const call = {
        viewer,
        params: endpoint.params && parse(endpoint.params, request.params),
        query: endpoint.query && parse(endpoint.query, request.query),
        input: endpoint.input && options.rawBody !== true ? parse(endpoint.input, request.body) : undefined,
        request,
        reply,
      } as Call<E>;
      const handle = async () =>
        options.costly === true && viewer !== null
          ? app.turns.run(viewer, leavingReader(reply), () => handler(call))
          : handler(call);
      const key = request.headers["idempotency-key"];
      // Sign-in calls stay out: their answers are tokens and their bodies passwords, neither is to be kept.
      const keyed =
        endpoint.method === "POST" &&
        endpoint.access !== "public" &&
        options.secretAnswer !== true &&
        viewer !== null &&
        typeof key === "string" &&
        !request.isMultipart();
      if (!keyed) {
        const answer = await handle();
        return isStream(reply, answer) ? answer : reply.code(endpoint.status).send(checked(answer));
      }
      let stream: unknown;
      const { method, url, body } = request;
      const { answer, replayed } = await app.answerOnce(viewer, { key, method, url, body }, async () => {
        const fresh = await handle();
        if (!isStream(reply, fresh)) return { status: endpoint.status, body: checked(fresh) };
        stream = fresh;
        return null;
      });
      if (answer === null) return stream;
      if (replayed) reply.header("idempotent-replayed", "true");
      return reply.code(answer.status).send(answer.body);
    },
  });
}
