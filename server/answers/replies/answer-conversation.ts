/**
 * How a twin answers any asker. Embeddings are asked for first, then everything is read in a transaction, then the reply is generated
 * outside any transaction. No other module prepares, streams or grounds a reply (server/test/lints/import-order.test.ts).
 */

import { standaloneQuestion } from "#server/knowledge/language/question/contextual-query.ts";
import type { LeftOut } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { Secrecy } from "#server/platform/db/secrecy/secrecy.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { type Citations, citationsOf } from "./citations.ts";
import { citedExcerpt, type Excerpt } from "./cited-excerpt.ts";
import { isLeftUnanswered, planAfter, planBefore } from "./decide.ts";
import { embeddedGenerator } from "./generators/embedded.ts";
import type { Generator } from "./generators/generator.ts";
import { type Models, withModels } from "./models.ts";
import { type AnsweringTwin, type OpenTwin, openTwin } from "./open-twin.ts";
import {
  type Asked,
  type Known,
  NOTHING_PREFETCHED,
  type Prefetch,
  prefetchEmbeddings,
  prefetchQuestion,
} from "./prefetch-question.ts";
import { type IncomingMessage, prepareReply } from "./prepare-reply.ts";
import type { RemoteGenerators } from "./remote-generators.ts";
import type { Plan, ReplyRequest } from "./reply-request.ts";
import { secrecyOf } from "./secrecy.ts";
import { streamReply } from "./stream-reply.ts";

export type { Asked, Citations };

export interface ReplyDeps extends Models {
  db: Database;
  localModels: Models | null;
  remoteGenerators: RemoteGenerators | null;
}

/** What differs between the callers for whom replies are made. */
export interface Conversation<Read> {
  /**
   * The question that will be answered, when it can be known beforehand, so that its embedding and likelihoods are ready. It is read in
   * transactions of its own, none of which waits for a network. Null or absent: the search uses words alone.
   */
  ahead?: Prefetch;
  /** Checks permissions, takes locks, reads what this answer needs and returns the answers that it has prepared. */
  read(reading: ReplyContext): Promise<Read>;
  /** Each statement runs in a transaction of its own, so nothing needs to be known beforehand. */
  statements?: boolean;
}

interface Message
  extends Omit<IncomingMessage, "twin" | "index" | "learnt" | "queryEmbedding" | "likelihoods" | "generator">,
    Partial<Pick<IncomingMessage, "learnt">> {
  /** Used instead of the twin's own style profile. */
  styleProfile?: unknown;
  /** See `ReplyRequest.ownerAnswers`; asked when the plan is made. */
  ownerAnswers?: (plan: Plan) => Promise<NonNullable<ReplyRequest["ownerAnswers"]> | null>;
  /** See `ReplyRequest.drafted`. */
  drafted?: boolean;
  /** See `ReplyRequest.background`. */
  background?: boolean;
  /** See `ReplyRequest.voice`. */
  voice?: string | null;
}

/** @throws Problem; whatever `ahead` and `read` throw */
export async function answerConversation<Read>(
  services: ReplyDeps,
  tenant: Tenant,
  { ahead, read, statements = false }: Conversation<Read>,
): Promise<Read> {
  const models = await withModels(services, tenant);
  if (statements) return read(new ReplyContext(eachAsTenant(services.db, tenant), tenant, models));
  const known = await prefetchQuestion(models, services.db, tenant, ahead);
  return asTenant(services.db, tenant, (tx) => read(new ReplyContext(tx, tenant, models, known)));
}

/** A twin that is held in memory with all its knowledge and has no owner. */
export interface TwinInMemory extends Pick<OpenTwin, "index"> {
  twin: Omit<AnsweringTwin, keyof typeof NOBODYS>;
}

const NOBODYS = { id: "", orgId: "", ownerId: "", isActive: true } as const;

/**
 * The answer to a stranger's single message. The embedded engine gives it whatever models are connected, so no budget is charged, and
 * nothing is read from the database or stored.
 */
export async function answerFromMemory({ twin, index }: TwinInMemory, message: string): Promise<Answer> {
  const generator = embeddedGenerator();
  const { payer: _nobody, ...request } = await prepareReply({
    twin: { ...twin, ...NOBODYS },
    index,
    message,
    history: [],
    audience: { kind: "stranger" },
    learnt: [],
    seed: message,
    ...NOTHING_PREFETCHED,
    generator: generator.name,
  });
  // A visitor who asks only once needs an answer or «не знаю», not the nearest excerpts.
  return new Answer(generator, request.plan.kind === "unknown" ? { ...request, nearest: [] } : request);
}

/** Reads everything that an answer needs, in one transaction or statement by statement. */
export class ReplyContext {
  readonly tx: Tx;
  readonly #tenant: Tenant;
  readonly #models: Models;
  /** null: no transaction is open, so embeddings may still be asked for. */
  readonly #known: Known | null;

  constructor(tx: Tx, tenant: Tenant, models: Models, known: Known | null = null) {
    this.tx = tx;
    this.#tenant = tenant;
    this.#models = models;
    this.#known = known;
  }

  /** @param options.contactId the contact who is answered, if any; @throws Problem 404 */
  async open(twinId: string, options: { contactId?: number | null; leftOut?: LeftOut } = {}): Promise<OpenTwin> {
    return openTwin(this.tx, this.#tenant, twinId, options);
  }

  /** Reads everything that this audience may see and plans the answer. What `known` holds about another question is ignored. */
  async answer(
    opened: OpenTwin,
    { styleProfile, ownerAnswers, drafted, background, voice, ...message }: Message,
  ): Promise<Answer> {
    const { generator } = this.#models;
    const known =
      this.#known ?? (await prefetchEmbeddings(this.#models, this.#tenant, message, (search) => search(opened.index)));
    const same = known.question === standaloneQuestion(message.history, message.message);
    const prepared = await prepareReply({
      ...opened,
      ...message,
      ...(styleProfile === undefined ? {} : { twin: { ...opened.twin, styleProfile } }),
      ...(same ? known : NOTHING_PREFETCHED),
      generator: generator.name,
    });
    const owner = (await ownerAnswers?.(prepared.plan)) ?? null;
    return new Answer(generator, {
      ...prepared,
      ...(owner === null ? {} : { ownerAnswers: owner }),
      ...(drafted ? { drafted } : {}),
      ...(background ? { background } : {}),
      ...(voice === undefined ? {} : { voice }),
    });
  }
}

/** A prepared reply: generating it needs no transaction. */
export class Answer {
  readonly request: ReplyRequest;
  readonly #generator: Generator;

  constructor(generator: Generator, request: ReplyRequest) {
    this.#generator = generator;
    this.request = request;
  }

  /** The plan as far as it is known before the text exists. */
  get planned(): Plan {
    return planBefore(this.#generator, this.request);
  }

  /** The guarded reply as text deltas, as `streamReply` yields them. @throws what `streamReply` throws */
  stream(signal: AbortSignal): AsyncGenerator<string> {
    return streamReply(this.#generator, this.request, signal);
  }

  /** The whole reply as one string. */
  async whole(signal: AbortSignal): Promise<string> {
    let text = "";
    for await (const delta of this.stream(signal)) text += delta;
    return text;
  }

  /** The plan after the text was checked: its kind and confidence may have changed. */
  planOf(text: string): Plan {
    return planAfter(this.#generator, this.request, text);
  }

  /** The sources that this text is based on. */
  citationsOf(text: string): Citations {
    return citationsOf(this.#generator, this.request, text);
  }

  /** Whose secret this text is, by what it was made of. */
  secrecyOf(text: string): Secrecy {
    return secrecyOf(this.#generator, this.request, this.planOf(text));
  }

  /** Where the document says it that this text is based on most; null: no document says it. */
  excerptOf(text: string): Excerpt | null {
    return citedExcerpt(this.request, this.planOf(text));
  }

  /**
   * The questions of a message of several of which this text says nothing, as the reader of documents has found; none where a model or the
   * owner's own words answer, because their coverage is unknown.
   */
  unansweredBeside(text: string): readonly string[] {
    const { answer, corrected, plan } = this.request;
    const byReader = !corrected && plan.kind === "knowledge" && this.planOf(text) === plan;
    return byReader ? (answer?.unanswered ?? []) : [];
  }

  /** Whether this text leaves the message to the owner. */
  leavesToOwner(text: string): boolean {
    return isLeftUnanswered(this.#generator, this.request, text);
  }

  /** Whether the embedded engine has answered in the place of a model that did not. */
  get fellBack(): boolean {
    return this.#generator.fellBack?.(this.request) ?? false;
  }
}
