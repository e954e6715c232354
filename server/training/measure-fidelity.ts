/**
 * The job that measures how like its owner a twin answers: it is asked the newest messages of its owner's history as if it knew one
 * half of the older ones; a verifier that knows the other half judges; then the halves change places.
 */
import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { LEAST_TO_MEASURE } from "#contract/quality.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { chats, exemplars, fidelityExamples, fidelityMeasures, messages, twins } from "#server/db/schema.ts";
import { JUDGED, lacking } from "#server/fidelity/fidelity.ts";
import type { FidelityFindings, FidelityTask } from "#server/fidelity/fidelity-worker.ts";
import { type HistoryMessage, type Part, type PartedHistory, partHistory } from "#server/fidelity/part-history.ts";
import { mean } from "#server/fidelity/typicality.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { idsOfSamePairs } from "#server/knowledge/exemplars.ts";
import { openRepliesReadOff } from "#server/open-replies/read-off.ts";
import type { Generator } from "#server/replies/generators/generator.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { prepareReply, streamReply } from "#server/replies/reply.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import type { LeftOut } from "#server/search/twin-index.ts";
import { seededRandom } from "#server/seeded-random.ts";
import { type MeasuredStyle, OwnersStyleAccumulator } from "#server/style/style-groups.ts";
import { ThreadPool } from "#server/thread-pool.ts";
import { isBudgetSpent } from "#server/twins/model-budget.ts";
import { nextUsageDay } from "#server/twins/usage.ts";

/** The newest so many messages are parted; what is older stays in the twin's memory. */
const LOOKED_AT = 100_000;
const READ_AT_ONCE = 10_000;
const KEPT_MEASURES = 100;
/** Turns of other people that are given to the verifier: so many of each, and of all together where they are few. */
const ENOUGH_OF_A_PERSON = 300;
const ENOUGH_OF_PEOPLE = 12_000;

export interface FidelityDeps {
  db: Database;
  jobs: Pick<Jobs, "enqueue">;
  generator: Generator;
  meanings: Meanings | null;
}

type FidelityData = Tenant & { twinId: string };

interface Context {
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
  replyMessageId: number;
}

/** Measures and stores, or tomorrow when the day's budget does not suffice; without the twin it ends at once. */
export async function measureFidelity(deps: FidelityDeps, data: FidelityData, signal: AbortSignal): Promise<void> {
  try {
    await measure(deps, data, signal);
  } catch (error) {
    if (!isBudgetSpent(error)) throw error;
    const { organizationId, userId, twinId } = data;
    await asTenant(deps.db, data, (tx) =>
      deps.jobs.enqueue(tx, "measure-fidelity", { organizationId, userId, twinId }, nextUsageDay(new Date())),
    );
  }
}

/** Too little history is stored as what is lacking. */
async function measure(deps: FidelityDeps, data: FidelityData, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const { twinId } = data;
  const began = performance.now();
  const [twin] = await asTenant(db, data, (tx) =>
    tx.select({ revision: twins.trainedRevision }).from(twins).where(eq(twins.id, twinId)),
  );
  if (twin === undefined) return;
  const seed = `fidelity:${twinId}:${twin.revision}`;
  const history = await readHistory(db, data);
  signal.throwIfAborted();
  const parted = partHistory(history.messages, seededRandom(seed));
  const contexts = await asTenant(db, data, (tx) => heldContexts(tx, twinId, parted));
  const sample = evidenceOf(parted, "one", contexts);
  const measured = { ...data, revision: twin.revision, own: sample.own.length, held: contexts.length };
  const people = sample.people.filter((texts) => texts.length >= LEAST_TO_MEASURE.ofAPerson).length;
  const missing = lacking({ ...sample, people: new Map(sample.people.map((texts, at) => [String(at), texts])) });
  if (missing !== null) {
    await store(db, { ...measured, people, lacking: missing, durationMs: Math.round(performance.now() - began) }, []);
    return;
  }
  // A model's answers cost its owner money: one half is asked, by the embedded engine both.
  const halves = deps.generator.name === "embedded" ? (["one", "other"] as const) : (["one"] as const);
  const runs: { findings: FidelityFindings; replies: string[] }[] = [];
  for (const memory of halves) {
    const replies = await answerAll(deps, data, { parted, memory, contexts, history, seed }, signal);
    const task: FidelityTask = {
      ...evidenceOf(parted, memory === "one" ? "other" : "one", contexts),
      replies,
      memory: ownTurns(parted, memory),
      seed: `${seed}:${memory}`,
    };
    runs.push({ findings: await judges.run(task, { signal }), replies });
  }
  const of = (field: (findings: FidelityFindings) => number) => mean(runs.map(({ findings }) => field(findings)));
  const figures = {
    value: of(({ likeness }) => likeness.value),
    low: of(({ likeness }) => likeness.low),
    high: of(({ likeness }) => likeness.high),
    verified: of(({ likeness }) => likeness.verified),
    indistinguishable: of(({ likeness }) => likeness.indistinguishable),
    ceiling: of(({ ceiling }) => ceiling.value),
    floor: of(({ floor }) => floor.value),
    copyRate: of((findings) => findings.copyRate),
    relevance: of((findings) => findings.relevance),
  };
  const [{ replies, findings }] = runs as [(typeof runs)[0]];
  const given = contexts.map(({ id }, at) => ({ exemplarId: id, reply: replies[at]!, logit: findings.logits[at]! }));
  await store(db, { ...measured, people, ...figures, durationMs: Math.round(performance.now() - began) }, given);
}

const judges = new ThreadPool<FidelityTask, FidelityFindings>({
  file: new URL("../fidelity/fidelity-worker.ts", import.meta.url),
  maxThreads: 1,
  idleTimeout: 10_000,
});

type Mark = { sentAt: Date; id: number };
type HistoryRow = Awaited<ReturnType<typeof readPage>>[number];

/** The newest before the mark, along the index of the knowledge base. */
function readPage(tx: Tx, tenant: Tenant, twinId: string, before: Mark | null) {
  return tx
    .select({
      id: messages.id,
      chatId: messages.chatId,
      chatKind: chats.kind,
      contactId: messages.contactId,
      fromOwner: messages.fromOwner,
      sentAt: messages.sentAt,
      text: messages.text,
    })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .where(
      and(
        eq(messages.orgId, tenant.organizationId),
        eq(messages.twinId, twinId),
        eq(messages.kind, "text"),
        eq(messages.isTrainingData, true),
        inArray(chats.kind, ["private", "group"]),
        before === null
          ? undefined
          : sql`(${messages.sentAt}, ${messages.id}) < (${before.sentAt.toISOString()}::timestamptz, ${before.id})`,
      ),
    )
    .orderBy(desc(messages.sentAt), desc(messages.id))
    .limit(READ_AT_ONCE);
}

interface History {
  /** Texts of private chats and groups, by chat and time. */
  messages: HistoryMessage[];
  /** With whom the owner speaks in each private chat. */
  partners: ReadonlyMap<number, number>;
}

async function readHistory(db: Database, { twinId, ...tenant }: FidelityData): Promise<History> {
  const partners = new Map<number, number>();
  const read: HistoryMessage[] = [];
  let before: Mark | null = null;
  while (read.length < LOOKED_AT) {
    const rows: HistoryRow[] = await asTenant(db, tenant, (tx) => readPage(tx, tenant, twinId, before));
    for (const { id, chatId, chatKind, contactId, fromOwner, sentAt, text } of rows) {
      // Somebody unnamed says nothing about anybody.
      if (!fromOwner && contactId === null) continue;
      if (chatKind === "private" && contactId !== null) partners.set(chatId, contactId);
      read.push({ id, chatId, author: fromOwner ? null : contactId, at: sentAt.getTime(), text });
    }
    if (rows.length < READ_AT_ONCE) break;
    before = rows.at(-1)!;
  }
  return { messages: read.sort((a, b) => a.chatId - b.chatId || a.at - b.at || a.id - b.id), partners };
}

/** The newest pairs of the held sessions. */
async function heldContexts(tx: Tx, twinId: string, { partOf }: PartedHistory): Promise<Context[]> {
  const held = [...partOf].filter(([, part]) => part === "held").map(([id]) => id);
  return tx
    .select({
      id: exemplars.id,
      contactId: exemplars.contactId,
      incoming: exemplars.incoming,
      reply: exemplars.reply,
      replyMessageId: exemplars.replyMessageId,
    })
    .from(exemplars)
    .where(and(eq(exemplars.twinId, twinId), sql`${exemplars.replyMessageId} = any(${sql.param(held)}::bigint[])`))
    .orderBy(desc(exemplars.repliedAt), desc(exemplars.id))
    .limit(JUDGED);
}

const ownTurns = ({ turns }: PartedHistory, wanted: Part): string[] =>
  turns.filter(({ part, turn }) => part === wanted && turn.author === null).map(({ turn }) => turn.text);

/** What the verifier learns from: the owner's half that the twin does not know, and the other people of both halves. */
function evidenceOf(
  parted: PartedHistory,
  part: "one" | "other",
  contexts: readonly Context[],
): Pick<FidelityTask, "own" | "people" | "held"> {
  const others = parted.turns.filter(({ part, turn }) => part !== "held" && turn.author !== null);
  const people = Map.groupBy(others, ({ turn }) => turn.author);
  // The verifier looks at a sample: of many people a part of each says as much.
  const each = Math.max(ENOUGH_OF_A_PERSON, Math.ceil(ENOUGH_OF_PEOPLE / Math.max(1, people.size)));
  return {
    own: ownTurns(parted, part),
    people: [...people.values()].map((theirs) => theirs.slice(-each).map(({ turn }) => turn.text)),
    held: contexts.map(({ reply }) => reply),
  };
}

interface Exam {
  parted: PartedHistory;
  /** The half that the twin knows. */
  memory: "one" | "other";
  contexts: readonly Context[];
  history: History;
  seed: string;
}

/** The replies of the twin as it serves, with index, profile and exemplars of its half alone. */
async function answerAll(
  { db, generator, meanings }: FidelityDeps,
  data: FidelityData,
  { parted, memory, contexts, history, seed }: Exam,
  signal: AbortSignal,
): Promise<string[]> {
  const { style, groupOf } = styleOf(history, parted, memory);
  const leftOut: LeftOut = await asTenant(db, data, async (tx) => {
    const pairs = await unknownExemplars(tx, data.twinId, parted, memory, contexts);
    return new Map([["exemplar", pairs] as const, ["open", await openRepliesReadOff(tx, data.twinId, pairs)] as const]);
  });
  const replies: string[] = [];
  for (const context of contexts) {
    signal.throwIfAborted();
    const meaning = (await meanings?.of(context.incoming)) ?? null;
    const request = await asTenant(db, data, async (tx) => {
      const { contactId } = context;
      const audience = { kind: "contact", contactId } as const;
      const opened = await openTwin(tx, data, data.twinId, { contactId, leftOut });
      // Habits that were ordered are the twin's own; an answer that was taught may be the very one that is looked for.
      const learnt = opened.learnt.filter(({ kind }) => kind === "style");
      return prepareReply({
        twin: { ...opened.twin, styleProfile: style },
        index: opened.index,
        learnt,
        message: context.incoming,
        history: [],
        audience,
        contact: { facts: [], address: null, styleGroup: groupOf.get(context.contactId) ?? null },
        meaning,
        seed: `${seed}:${context.id}`,
        generator: generator.name,
      });
    });
    let text = "";
    for await (const delta of streamReply(generator, { ...request, background: true }, signal)) text += delta;
    replies.push(text.trim());
  }
  return replies;
}

function styleOf(history: History, { partOf }: PartedHistory, memory: Part): MeasuredStyle {
  const accumulator = new OwnersStyleAccumulator();
  for (const { id, chatId, author, at, text } of history.messages) {
    if (partOf.get(id) !== memory) continue;
    const contactId = history.partners.get(chatId) ?? null;
    accumulator.add({ text, sentAt: new Date(at), fromOwner: author === null, chatId, contactId });
  }
  return accumulator.result();
}

/** Characters from which a reply said twice is the same message imported twice, or pasted: shorter ones are said by everybody. */
const OF_ONE_TALK = 40;

/**
 * Every pair whose reply is of another part, and whatever repeats a question of the examination with its answer, or a long answer alone,
 * word for word: the same talk may have been imported twice.
 */
async function unknownExemplars(
  tx: Tx,
  twinId: string,
  { partOf }: PartedHistory,
  memory: Part,
  contexts: readonly Context[],
): Promise<Set<number>> {
  const rows = await tx
    .select({ id: exemplars.id, replyMessageId: exemplars.replyMessageId })
    .from(exemplars)
    .where(eq(exemplars.twinId, twinId));
  const unknown = rows.filter(({ replyMessageId }) => (partOf.get(replyMessageId) ?? memory) !== memory);
  const asked = contexts.map(({ id }) => id);
  const same = await idsOfSamePairs(tx, twinId, asked);
  const answers = contexts.map(({ reply }) => reply).filter((reply) => reply.length >= OF_ONE_TALK);
  const said = await tx
    .select({ id: exemplars.id })
    .from(exemplars)
    .where(and(eq(exemplars.twinId, twinId), sql`${exemplars.reply} = any(${sql.param(answers)}::text[])`));
  const repeated = [...same.values()].flatMap((ids) => [...ids]);
  return new Set([...[...unknown, ...said].map(({ id }) => id), ...repeated]);
}

type Measure = Omit<typeof fidelityMeasures.$inferInsert, "orgId"> & FidelityData;

/** The twin shows the newest measure, with its replies; of older ones the figures of the last hundred stay. */
function store(
  db: Database,
  { organizationId, userId, ...measure }: Measure,
  given: readonly { exemplarId: number; reply: string; logit: number }[],
): Promise<void> {
  return asTenant(db, { organizationId, userId }, async (tx) => {
    const { twinId } = measure;
    const [twin] = await tx
      .update(twins)
      .set({ styleAccuracy: measure.value ?? null })
      .where(eq(twins.id, twinId))
      .returning({ id: twins.id });
    if (twin === undefined) return;
    const [row] = await tx
      .insert(fidelityMeasures)
      .values({ ...measure, orgId: organizationId })
      .returning({ id: fidelityMeasures.id });
    const before = tx
      .select({ id: fidelityMeasures.id })
      .from(fidelityMeasures)
      .where(and(eq(fidelityMeasures.twinId, twinId), ne(fidelityMeasures.id, row!.id)));
    await tx.delete(fidelityExamples).where(inArray(fidelityExamples.measureId, before));
    // A pair that went meanwhile has nothing to be shown beside.
    const there = await tx
      .select({ id: exemplars.id })
      .from(exemplars)
      .where(
        inArray(
          exemplars.id,
          given.map(({ exemplarId }) => exemplarId),
        ),
      )
      .for("key share");
    const known = new Set(there.map(({ id }) => id));
    const shown = given.filter(({ exemplarId }) => known.has(exemplarId));
    if (shown.length > 0) {
      const place = { orgId: organizationId, measureId: row!.id };
      await tx.insert(fidelityExamples).values(shown.map((one) => ({ ...place, ...one })));
    }
    const old = tx
      .select({ id: fidelityMeasures.id })
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, twinId))
      .orderBy(desc(fidelityMeasures.id))
      .offset(KEPT_MEASURES);
    await tx.delete(fidelityMeasures).where(inArray(fidelityMeasures.id, old));
  });
}
