/**
 * The entry point for every reply. Call `withModels` and `prefetchQuestion` before any transaction; `openTwin` and `planReply` inside the
 * caller's transaction, or on `eachAsTenant`, where each statement is one; `Answer.stream` after it. Background work takes the latter, because
 * planning computes for longer than it may hold a connection. No other module prepares, streams or verifies a reply
 * (server/test/lints/import-order.test.ts).
 */
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { ToolDesk } from "#server/answers/tools/tool-desk.ts";
import { standaloneQuestion } from "#server/knowledge/language/question/contextual-query.ts";
import { refuseInsideTransaction } from "#server/platform/db/connection-guard.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { embeddedGenerator } from "./embedded-generator.ts";
import { type Generator, isByModel, proposesCalls } from "./generator.ts";
import { type Models, withModels } from "./models.ts";
import { type AnsweringTwin, type OpenTwin, openTwin } from "./open-twin.ts";
import { type Citations, citationsOf } from "./planning/citations.ts";
import { citedExcerpt, type Excerpt } from "./planning/cited-excerpt.ts";
import { isLeftUnanswered, planAfter, planBefore } from "./planning/decide.ts";
import { type IncomingMessage, prepareReply } from "./planning/prepare-reply.ts";
import { secrecyOf } from "./planning/secrecy.ts";
import { streamReply } from "./planning/stream-reply.ts";
import { NOTHING_PREFETCHED, type PrefetchedQuestion, prefetchQuestion } from "./prefetch-question.ts";
import type { RemoteGenerators } from "./remote-generators.ts";
import type { Plan, ReplyRequest } from "./reply-request.ts";

export type { Citations, Excerpt };

export interface ReplyDeps extends Models {
  db: Database;
  localModels: Models | null;
  remoteGenerators: RemoteGenerators | null;
}

export interface Message
  extends Omit<
      IncomingMessage,
      "twin" | "index" | "learnt" | "queryEmbedding" | "likelihoods" | "generator" | "ability" | "knowledgeRoom"
    >,
    Partial<Pick<IncomingMessage, "learnt">> {
  styleProfile?: unknown;
  /** See `ReplyRequest.ownerAnswers`; called when the plan is made. */
  ownerAnswers?: (plan: Plan) => Promise<NonNullable<ReplyRequest["ownerAnswers"]> | null>;
  /** See `ReplyRequest.drafted`. */
  drafted?: boolean;
  /** See `ReplyRequest.background`. */
  background?: boolean;
  /** See `ReplyRequest.trackRecords`. */
  trackRecords?: NonNullable<ReplyRequest["trackRecords"]>;
  /** See `ReplyRequest.tools`; null: none. */
  tools?: ToolDesk | null;
}

/**
 * Reads what this audience may see and plans the answer. Results prefetched for another question are ignored.
 * @throws ConnectionHeld for background work inside a transaction
 */
export async function planReply(
  opened: OpenTwin,
  { styleProfile, ownerAnswers, drafted, background, trackRecords, tools, ...message }: Message,
  { generator, findMore, ...prefetched }: PrefetchedQuestion,
): Promise<Answer> {
  if (background) refuseInsideTransaction("A background answer was planned");
  const same = prefetched.question === standaloneQuestion(message.history, message.message);
  const prepared = await prepareReply({
    ...opened,
    ...message,
    ...(styleProfile === undefined ? {} : { twin: { ...opened.twin, styleProfile } }),
    ...(same ? prefetched : NOTHING_PREFETCHED),
    generator: generator.name,
    ability: generator.ability,
    knowledgeRoom: generator.knowledgeRoom,
  });
  tools?.prepare({ canPropose: proposesCalls(generator) });
  const owner = (await ownerAnswers?.(prepared.plan)) ?? null;
  return new Answer(generator, {
    ...prepared,
    ...(owner === null ? {} : { ownerAnswers: owner }),
    ...(findMore === undefined
      ? {}
      : { secondLook: { find: (query: string) => findMore(message.audience, query), chunks: [] } }),
    ...(drafted ? { drafted } : {}),
    ...(background ? { background } : {}),
    ...(trackRecords === undefined ? {} : { trackRecords }),
    ...(tools == null ? {} : { tools }),
  });
}

/** Runs all steps for a message that needs no other locks or reads; each statement is a transaction of its own. @throws Problem 404 */
export async function planReplyAlone(
  services: ReplyDeps,
  tenant: Tenant,
  twinId: string,
  message: Message,
): Promise<Answer> {
  const { audience } = message;
  const contactId = audience.kind === "contact" ? audience.contactId : null;
  const models = await withModels(services, tenant);
  const opened = await openTwin(eachAsTenant(models.db, tenant), tenant, twinId, { contactId });
  const prefetched = await prefetchQuestion(models, tenant, { twinId, ...message }, opened.index);
  return planReply(opened, message, prefetched);
}

/** A twin without an owner whose whole knowledge is in memory. */
export interface TwinInMemory extends Pick<OpenTwin, "index"> {
  twin: Omit<AnsweringTwin, keyof typeof NO_OWNER>;
}

const NO_OWNER = {
  id: "",
  orgId: "",
  ownerId: "",
  isActive: true,
  purpose: "business",
  selfPresentation: null,
} as const;

/** A stranger's message to a twin in memory. */
interface MemoryMessage extends Pick<IncomingMessage, "message"> {
  history?: IncomingMessage["history"];
  /** See `ReplyRequest.payer`; absent: nothing is charged, so that no remote model can be asked. */
  payer?: Payer;
  /** See `ReplyRequest.drafted`. */
  drafted?: boolean;
}

/**
 * Plans a background answer of any generator to a stranger's message, without the database: the twin has no past replies, corrections or
 * embeddings.
 */
export async function planFromMemory(
  generator: Generator,
  { twin, index }: TwinInMemory,
  { message, history = [], payer, drafted = false }: MemoryMessage,
): Promise<Answer> {
  const { payer: _nobody, ...request } = await prepareReply({
    twin: { ...twin, ...NO_OWNER },
    index,
    message,
    history,
    audience: { kind: "stranger" },
    learnt: [],
    seed: message,
    ...NOTHING_PREFETCHED,
    generator: generator.name,
    ability: generator.ability,
    knowledgeRoom: generator.knowledgeRoom,
  });
  const asked = {
    ...request,
    ...(payer === undefined ? {} : { payer, background: true }),
    ...(drafted ? { drafted } : {}),
  };
  // An asker who cannot ask again needs an answer or «не знаю», not the nearest excerpts.
  return new Answer(generator, asked.plan.kind === "unknown" ? { ...asked, nearest: [] } : asked);
}

/** Answers a stranger's single message with the embedded engine, whatever models are connected. */
export const answerFromMemory = (twin: TwinInMemory, message: string): Promise<Answer> =>
  planFromMemory(embeddedGenerator(), twin, { message });

/** A prepared reply; generating it needs no transaction. */
export class Answer {
  readonly request: ReplyRequest;
  readonly #generator: Generator;

  constructor(generator: Generator, request: ReplyRequest) {
    this.#generator = generator;
    this.request = request;
  }

  get planned(): Plan {
    return planBefore(this.#generator, this.request);
  }

  /** Yields the guarded reply as text deltas. @throws what `streamReply` throws */
  stream(signal: AbortSignal): AsyncGenerator<string> {
    return streamReply(this.#generator, this.request, signal);
  }

  async whole(signal: AbortSignal): Promise<string> {
    let text = "";
    for await (const delta of this.stream(signal)) text += delta;
    return text;
  }

  /** Returns the plan after the text was checked; kind and confidence may have changed. */
  planOf(text: string): Plan {
    return planAfter(this.#generator, this.request, text);
  }

  citationsOf(text: string): Citations {
    return citationsOf(this.#generator, this.request, text);
  }

  secrecyOf(text: string): Secrecy {
    return secrecyOf(this.#generator, this.request, this.planOf(text));
  }

  /** Returns the document passage that supports this text most; null when no document does. */
  excerptOf(text: string): Excerpt | null {
    return citedExcerpt(this.request, this.planOf(text));
  }

  /**
   * Returns the questions of the message that this text leaves unanswered, according to the extractive reader. Empty when a model or the
   * owner's own words answer: a model says itself what it leaves open, or its coverage is unknown.
   */
  unansweredBeside(text: string): readonly string[] {
    const { answer, corrected, plan } = this.request;
    const byReader = !corrected && plan.kind === "knowledge" && this.planOf(text) === plan;
    return byReader ? (answer?.unanswered ?? []) : [];
  }

  leavesToOwner(text: string): boolean {
    return isLeftUnanswered(this.#generator, this.request, text);
  }

  /**
   * Whether a twin for friends has nothing but a phrase that puts the asker off («отвечу лично»), which no friend of a person writes. What
   * repeats the owner's own words to this friend, and what a model writes, is no such phrase.
   */
  putsFriendOff(text: string): boolean {
    const { twin, friend } = this.request;
    const isFriendly = twin.purpose === "friends" && !friend && !isByModel(this.#generator, this.request);
    return isFriendly && this.leavesToOwner(text);
  }

  /** Whether the model gave an account of its answer (docs/decisions/040-answer-records.md). */
  get isRecorded(): boolean {
    return this.#generator.notes?.(this.request)?.recorded !== undefined;
  }

  /** Whether the embedded engine answered because the model failed. */
  get fellBack(): boolean {
    return this.#generator.fellBack?.(this.request) ?? false;
  }
}
