/**
 * The job that measures how closely a twin imitates its owner. The owner's history is split in two halves. The twin knows one and answers
 * the newest messages; a verifier that knows the other half judges the replies. Then the halves swap.
 */
import { and, desc, eq, sql } from "drizzle-orm";
import { MIN_TO_MEASURE } from "#contract/quality.ts";
import { isBudgetSpent } from "#server/accounts/twins/model-budget.ts";
import { nextUsageDay } from "#server/accounts/twins/usage.ts";
import { knownPeople, missingEvidence } from "#server/answers/fidelity/evidence.ts";
import { MAX_JUDGED_REPLIES } from "#server/answers/fidelity/fidelity.ts";
import type { FidelityFindings, FidelityTask } from "#server/answers/fidelity/fidelity-worker.ts";
import { type History, readHistory } from "#server/answers/fidelity/read-history.ts";
import {
  type HistoryMessage,
  type Part,
  type SplitHistory,
  splitHistory,
} from "#server/answers/fidelity/split-history.ts";
import { mean } from "#server/answers/fidelity/typicality.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { planReply, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { prefetchQuestion, type Question } from "#server/answers/replies/prefetch-question.ts";
import type { People } from "#server/knowledge/messages/people.ts";
import { idsOfSamePairs } from "#server/knowledge/messages/reply-examples.ts";
import { openRepliesLostWithout } from "#server/knowledge/public-replies/derived-replies.ts";
import type { LeftOut } from "#server/knowledge/search/twin-index.ts";
import { type MeasuredStyle, OwnersStyleAccumulator } from "#server/knowledge/style/style-groups.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { ThreadPool } from "#server/platform/process/thread-pool.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { createTurnReader } from "./preceding-turns.ts";
import { storeMeasure } from "./store-measure.ts";

/** Number of messages per other person for the verifier, or `ENOUGH_OF_PEOPLE` in total when there are few people. */
const ENOUGH_OF_A_PERSON = 300;
const ENOUGH_OF_PEOPLE = 12_000;

interface FidelityDeps extends ReplyDeps {
  jobs: Pick<Jobs, "enqueue">;
}

type FidelityData = JobData["measure-fidelity"];

type MeasuredAudience = "contacts" | "strangers";

/** A model costs the owner money or the machine an hour, so it is asked fewer messages as a stranger. */
const ASKED_OF_MODELS: Record<MeasuredAudience, number> = { contacts: MAX_JUDGED_REPLIES, strangers: 50 };

interface Context {
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
  replyMessageId: number;
  repliedAt: Date;
}

/**
 * Measures what contacts read and then what strangers read, and stores both results. What the day's budget does not cover is measured
 * tomorrow. Ends at once if the twin is deleted.
 * @param askedOfModels messages that a model is asked at most
 */
export async function measureFidelity(
  deps: FidelityDeps,
  data: FidelityData,
  signal: AbortSignal,
  askedOfModels = ASKED_OF_MODELS,
): Promise<void> {
  let rest = data;
  try {
    const begun = await begin(deps, data, signal);
    if (begun === null) return;
    if (data.only !== "strangers")
      await measure(deps, data, { ...begun, audience: "contacts", most: askedOfModels.contacts }, signal);
    if (data.only === "contacts") return;
    // What the owner has paid for is not asked again tomorrow.
    rest = { ...data, only: "strangers" };
    await measure(deps, data, { ...begun, audience: "strangers", most: askedOfModels.strangers }, signal);
  } catch (error) {
    if (!isBudgetSpent(error)) throw error;
    await asTenant(deps.db, data, (tx) => deps.jobs.enqueue(tx, "measure-fidelity", rest, nextUsageDay(new Date())));
  }
}

interface Begun {
  revision: number;
  generator: Generator;
  history: History;
  parted: SplitHistory;
  contexts: Context[];
  seed: string;
}

/** Returns null, and stores what is missing, when there is too little history; null also when the twin is gone. */
async function begin(deps: FidelityDeps, data: FidelityData, signal: AbortSignal): Promise<Begun | null> {
  const { db } = deps;
  const { twinId } = data;
  const [twin] = await asTenant(db, data, (tx) =>
    tx.select({ revision: twins.trainedRevision }).from(twins).where(eq(twins.id, twinId)),
  );
  if (twin === undefined) return null;
  const started = performance.now();
  const { revision } = twin;
  const { generator } = await withModels(deps, data);
  const seed = `fidelity:${twinId}:${revision}`;
  const history = await readHistory(db, data);
  signal.throwIfAborted();
  const parted = splitHistory(history.messages, seededRandom(seed));
  const contexts = await asTenant(db, data, (tx) => heldContexts(tx, twinId, parted));
  const sample = evidenceOf(parted, "one", contexts, history.people);
  const missing = missingEvidence({
    ...sample,
    people: new Map(sample.people.map((texts, at) => [String(at), texts])),
  });
  if (missing === null) return { revision, generator, history, parted, contexts, seed };
  const lacking = { lacking: missing, held: contexts.length, durationMs: Math.round(performance.now() - started) };
  await storeMeasure(db, { ...measuredOf(data, { revision, generator }, sample), ...lacking }, []);
  return null;
}

const measuredOf = (
  { organizationId, userId, twinId }: FidelityData,
  { revision, generator }: Pick<Begun, "revision" | "generator">,
  { own, people }: Pick<FidelityTask, "own" | "people">,
) => ({
  ...{ organizationId, userId, twinId, revision, model: generator.model ?? null },
  ...{ own: own.length, people: knownPeople(people).length },
});

interface Run {
  findings: FidelityFindings;
  replies: TwinReply[];
}

async function measure(
  deps: FidelityDeps,
  data: FidelityData,
  begun: Begun & { audience: MeasuredAudience; most: number },
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const { generator, history, parted, seed, audience, most } = begun;
  const asked = generator.name === "embedded" ? begun.contexts : begun.contexts.slice(0, most);
  // Only the embedded engine costs so little that both halves are asked.
  const halves =
    generator.name === "embedded" && audience === "contacts" ? (["one", "other"] as const) : (["one"] as const);
  const runs: Run[] = [];
  for (const memory of halves) {
    const all = await serveRequests(deps, data, { parted, memory, contexts: asked, history, seed, audience }, signal);
    const said = all.filter(({ handedOver }) => !handedOver);
    // What the twin says itself is judged; where that is too little, what it says instead is judged as well.
    const replies = said.length >= MIN_TO_MEASURE.held ? said : all;
    const task: FidelityTask = {
      ...evidenceOf(
        parted,
        memory === "one" ? "other" : "one",
        replies.map(({ context }) => context),
        history.people,
      ),
      replies: replies.map(({ text }) => text),
      memory: ownTurns(parted, memory),
      seed: `${seed}:${memory}`,
    };
    runs.push({ findings: await judges.run(task, { signal }), replies });
  }
  const of = (field: (findings: FidelityFindings) => number) => mean(runs.map(({ findings }) => field(findings)));
  const figures = {
    value: of(({ fidelity }) => fidelity.value),
    low: of(({ fidelity }) => fidelity.low),
    high: of(({ fidelity }) => fidelity.high),
    verified: of(({ fidelity }) => fidelity.verified),
    indistinguishable: of(({ fidelity }) => fidelity.indistinguishable),
    ceiling: of(({ ceiling }) => ceiling.value),
    floor: of(({ floor }) => floor.value),
    copyRate: of((findings) => findings.copyRate),
    relevance: of((findings) => findings.relevance),
  };
  const [{ replies, findings }] = runs as [Run];
  const row = {
    ...measuredOf(data, begun, evidenceOf(parted, "one", asked, history.people)),
    ...figures,
    audience,
    held: replies.length,
    handedOver: asked.length - replies.length,
    durationMs: Math.round(performance.now() - started),
  };
  const given = replies.map(({ context, text }, at) => ({
    replyExampleId: context.id,
    reply: text,
    logit: findings.logits[at]!,
  }));
  await storeMeasure(deps.db, row, given);
}

const judges = new ThreadPool<FidelityTask, FidelityFindings>({
  file: new URL("../fidelity/fidelity-worker.ts", import.meta.url),
  maxThreads: 1,
  idleTimeout: 10_000,
});

async function heldContexts(tx: Tx, twinId: string, { partOf }: SplitHistory): Promise<Context[]> {
  const held = [...partOf].filter(([, part]) => part === "held").map(([id]) => id);
  return tx
    .select({
      id: replyExamples.id,
      contactId: replyExamples.contactId,
      incoming: replyExamples.incoming,
      reply: replyExamples.reply,
      replyMessageId: replyExamples.replyMessageId,
      repliedAt: replyExamples.repliedAt,
    })
    .from(replyExamples)
    .where(
      and(eq(replyExamples.twinId, twinId), sql`${replyExamples.replyMessageId} = any(${sql.param(held)}::bigint[])`),
    )
    .orderBy(desc(replyExamples.repliedAt), desc(replyExamples.id))
    .limit(MAX_JUDGED_REPLIES);
}

const ownTurns = ({ turns }: SplitHistory, wanted: Part): string[] =>
  turns.filter(({ part, turn }) => part === wanted && turn.author === null).map(({ turn }) => turn.text);

/**
 * Returns the verifier's training data: the half of the owner's messages unknown to the twin, and other people's messages of both halves.
 */
function evidenceOf(
  parted: SplitHistory,
  part: "one" | "other",
  contexts: readonly Context[],
  personOf: People,
): Pick<FidelityTask, "own" | "people" | "held"> {
  const others = parted.turns.filter(({ part, turn }) => part !== "held" && turn.author !== null);
  const people = Map.groupBy(others, ({ turn }) => personOf.get(turn.author!) ?? turn.author);
  // A sample is enough: with many people, a part of each.
  const each = Math.max(ENOUGH_OF_A_PERSON, Math.ceil(ENOUGH_OF_PEOPLE / Math.max(1, people.size)));
  return {
    own: ownTurns(parted, part),
    people: [...people.values()].map((theirs) => theirs.slice(-each).map(({ turn }) => turn.text)),
    held: contexts.map(({ reply }) => reply),
  };
}

interface Exam {
  audience: MeasuredAudience;
  parted: SplitHistory;
  memory: "one" | "other";
  contexts: readonly Context[];
  history: History;
  seed: string;
}

interface TwinReply {
  context: Context;
  text: string;
  /** Whether the twin left the message to its owner. */
  handedOver: boolean;
}

/**
 * Returns the twin's usual replies, with the index, profile and reply examples of its half alone. A stranger asks in the conversation of
 * the contact who did, and meets nothing that was written to any contact.
 */
async function serveRequests(
  deps: FidelityDeps,
  data: FidelityData,
  { audience, parted, memory, contexts, history, seed }: Exam,
  signal: AbortSignal,
): Promise<TwinReply[]> {
  const { style, groupOf } = await styleOf(history, parted, memory);
  const leftOut: LeftOut = await asTenant(deps.db, data, async (tx) => {
    const pairs = await unknownReplyExamples(tx, data.twinId, parted, memory, contexts);
    return new Map([
      ["example", pairs] as const,
      ["open", await openRepliesLostWithout(tx, data.twinId, pairs)] as const,
    ]);
  });
  const turnsBefore = createTurnReader(history.messages);
  const isContact = audience === "contacts";
  const replies: TwinReply[] = [];
  for (const context of contexts) {
    signal.throwIfAborted();
    const { contactId, incoming, repliedAt } = context;
    const question: Question = {
      ...{ twinId: data.twinId, message: incoming, history: turnsBefore(context.replyMessageId) },
      audience: isContact ? { kind: "contact", contactId } : { kind: "stranger" },
    };
    const models = await withModels(deps, data);
    const prefetched = await prefetchQuestion(models, data, question);
    const asked = { contactId: isContact ? contactId : null, leftOut };
    const opened = await openTwin(eachAsTenant(models.db, data), data, data.twinId, asked);
    const message = {
      ...question,
      // Style rules belong to the twin. Corrected answers are left out, because one could be the reply that is tested.
      learnt: opened.learnt.filter(({ kind }) => kind === "style"),
      styleProfile: style,
      contact: { notes: [], address: null, styleGroup: isContact ? (groupOf.get(contactId) ?? null) : null },
      seed: `${seed}:${context.id}`,
      // The owner's «сегодня» was that day.
      sentAt: repliedAt,
      // As in a channel, where no document is quoted after «не знаю».
      ...{ drafted: true, background: true },
    };
    const answer = await planReply(opened, message, prefetched);
    const text = await answer.whole(signal);
    // Several messages of one answer are lines, as the owner's are; a blank line would tell the two apart in the blind test.
    const shown = answer.isRecorded ? text.replace(/\n{2,}/g, "\n") : text;
    replies.push({ context, text: shown.trim(), handedOver: answer.leavesToOwner(text) });
  }
  return replies;
}

/** Messages whose style is measured in one piece of background work. */
const MEASURED_AT_ONCE = 200;

async function styleOf(history: History, { partOf }: SplitHistory, memory: Part): Promise<MeasuredStyle> {
  const accumulator = new OwnersStyleAccumulator();
  const add = ({ chatId, author, at, text }: HistoryMessage) => {
    const contactId = history.partners.get(chatId) ?? null;
    const person = contactId === null ? null : (history.people.get(contactId) ?? contactId);
    accumulator.add({ text, sentAt: new Date(at), fromOwner: author === null, chatId, contactId, person });
  };
  const remembered = history.messages.filter(({ id }) => partOf.get(id) === memory);
  for (let from = 0; from < remembered.length; from += MEASURED_AT_ONCE)
    await backgroundThrottle.compute(() => remembered.slice(from, from + MEASURED_AT_ONCE).forEach(add));
  return backgroundThrottle.compute(() => accumulator.result());
}

/** Minimum length, in characters, of a repeated reply that proves a double import or a paste; people repeat shorter ones. */
const LEAST_UNIQUE = 40;

/**
 * Returns ids of the pairs that the twin must not use: those whose reply belongs to another part, and repeats of a held-out question with
 * its answer or of a long answer alone. The same conversation may have been imported twice.
 */
async function unknownReplyExamples(
  tx: Tx,
  twinId: string,
  { partOf }: SplitHistory,
  memory: Part,
  contexts: readonly Context[],
): Promise<Set<number>> {
  const rows = await tx
    .select({ id: replyExamples.id, replyMessageId: replyExamples.replyMessageId })
    .from(replyExamples)
    .where(eq(replyExamples.twinId, twinId));
  const unknown = rows.filter(({ replyMessageId }) => (partOf.get(replyMessageId) ?? memory) !== memory);
  const asked = contexts.map(({ id }) => id);
  const same = await idsOfSamePairs(tx, twinId, asked);
  const answers = contexts.map(({ reply }) => reply).filter((reply) => reply.length >= LEAST_UNIQUE);
  const said = await tx
    .select({ id: replyExamples.id })
    .from(replyExamples)
    .where(and(eq(replyExamples.twinId, twinId), sql`${replyExamples.reply} = any(${sql.param(answers)}::text[])`));
  const repeated = [...same.values()].flatMap((ids) => [...ids]);
  return new Set([...[...unknown, ...said].map(({ id }) => id), ...repeated]);
}
