/**
 * Samples of the owner's manner that a model sees in every conversation (docs/decisions/046-manner-for-strangers.md). Each training chooses
 * them among his replies of common words; the owner reads all of them and closes those that he does not want shown.
 */
import { createHash } from "node:crypto";
import { and, count, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { StyleSample, WrittenSample } from "#contract/knowledge/style-samples.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { personOfContacts } from "#server/knowledge/messages/people.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { declinedReplies, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { CommonSamples, chooseEvenly, type SampleCandidate } from "./common-samples.ts";
import { openCommonWords } from "./common-words.ts";
import { declinedOf } from "./keep-recurring.ts";
import { openSampleMask } from "./masked-sample.ts";

/** More teach a model no more: forty were measured (docs/quality.md). */
const MOST_OPEN = 40;
/** Newest replies that are read; how the owner wrote before them is no longer how he writes. */
const MOST_READ = 20_000;
/** Replies of a page, which are looked through on the thread that answers people. */
const PAGE = 250;
/** Samples that the owner wrote or opened. */
const MOST_OWN = 50;

type TwinData = Tenant & { twinId: string };

/** Chooses samples anew. Those that are still found stay, so that a prompt changes as little as possible. */
export async function keepCommonSamples(db: Database, data: TwinData, signal: AbortSignal): Promise<void> {
  await keepFoundSamples(db, data, await findCommonSamples(db, data, signal));
}

interface FoundSamples {
  /** `twins.knowledgeRevision` when the search began. */
  revision: number;
  found: SampleCandidate[];
}

/**
 * Stores nothing when the twin's knowledge has changed since the search: a merged or forgotten person may no longer count, and each change
 * is followed by another training.
 */
export async function keepFoundSamples(db: Database, data: TwinData, { revision, found }: FoundSamples): Promise<void> {
  await asTenant(db, data, async (tx) => {
    const { organizationId: orgId, twinId } = data;
    // Locks the twin first, like all transactions that change its knowledge.
    if ((await revisionOf(tx, twinId).for("no key update"))[0]?.revision !== revision) return;
    const known = await tx
      .select()
      .from(styleSamples)
      .where(and(eq(styleSamples.twinId, twinId), eq(styleSamples.origin, "common")));
    const declined = await declinedOf(tx, twinId);
    const texts = new Set(found.map(({ text }) => text));
    const outdated = known.filter(({ state, text }) => state === "open" && !texts.has(text)).map(({ id }) => id);
    if (outdated.length > 0) await tx.delete(styleSamples).where(inArray(styleSamples.id, outdated));
    const stay = known.filter(({ id }) => !outdated.includes(id));
    const taken = new Set(stay.map(({ text }) => text));
    const open = stay.filter(({ state }) => state === "open").length;
    const added = chooseEvenly(
      found.filter(({ text }) => !taken.has(text) && !declined.has(hashOfSample(text))),
      MOST_OPEN - open,
    );
    const there = await stillThere(tx, twinId, added);
    if (there.length === 0) return;
    const rows = there.map(({ id, text }) => ({ orgId, twinId, origin: "common" as const, text, replyExampleId: id }));
    await tx.insert(styleSamples).values(rows).onConflictDoNothing();
  });
}

/** Replies may have been deleted since they were read. */
async function stillThere(tx: Tx, twinId: string, candidates: readonly SampleCandidate[]): Promise<SampleCandidate[]> {
  if (candidates.length === 0) return [];
  const ids = sql.param(candidates.map(({ id }) => id));
  const rows = await tx
    .select({ id: replyExamples.id })
    .from(replyExamples)
    .where(and(eq(replyExamples.twinId, twinId), sql`${replyExamples.id} = any(${ids}::bigint[])`))
    .for("key share");
  const there = new Set(rows.map(({ id }) => id));
  return candidates.filter(({ id }) => there.has(id));
}

const revisionOf = (tx: Tx, twinId: string) =>
  tx.select({ revision: twins.knowledgeRevision }).from(twins).where(eq(twins.id, twinId));

export async function findCommonSamples(db: Database, data: TwinData, signal: AbortSignal): Promise<FoundSamples> {
  const [people, revision] = await asTenant(db, data, async (tx) => {
    // Read first: a change after it is noticed.
    const [twin] = await revisionOf(tx, data.twinId);
    return [await personOfContacts(tx, data.twinId), twin?.revision ?? -1];
  });
  const samples = new CommonSamples(await openCommonWords());
  let before = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MOST_READ; read += PAGE) {
    signal.throwIfAborted();
    const rows = await asTenant(db, data, (tx) => readReplies(tx, data.twinId, before));
    for (const { id, contactId, reply } of rows) {
      const person = people.get(contactId);
      if (person !== undefined) samples.add(id, person, reply);
    }
    if (rows.length < PAGE) break;
    before = rows.at(-1)!.id;
  }
  return { revision, found: samples.found() };
}

/** Private chats only: in a group everybody has read everything, and it is written to nobody in particular. */
async function readReplies(
  tx: Tx,
  twinId: string,
  before: number,
): Promise<{ id: number; contactId: number; reply: string }[]> {
  const { rows } = await tx.execute(sql`
    select e.id, e.contact_id as "contactId", left(e.reply, 1000) as reply
    from reply_examples e join chats c on c.id = e.chat_id and c.kind = 'private'
    where e.twin_id = ${twinId} and e.id < ${before} order by e.id desc limit ${PAGE}`);
  return rows.map(({ id, contactId, reply }) => ({
    ...{ id: Number(id), contactId: Number(contactId), reply: String(reply) },
  }));
}

/** Returns open samples first, the newest first. */
export async function listStyleSamples(tx: Tx, twinId: string): Promise<StyleSample[]> {
  const rows = await tx
    .select()
    .from(styleSamples)
    .where(eq(styleSamples.twinId, twinId))
    .orderBy(desc(styleSamples.state), desc(styleSamples.id));
  return rows.map(toJson);
}

/** Stores what the owner answers to an invented message. @throws Problem 404; 409 when there are too many; 422 */
export function writeSample(
  db: Database,
  caller: Caller,
  twinId: string,
  { incoming, text }: WrittenSample,
): Promise<StyleSample> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    refuseHumanClaim(text);
    await requireRoom(tx, twinId);
    const [row] = await tx
      .insert(styleSamples)
      .values({ orgId: caller.organizationId, twinId, origin: "written", incoming, text })
      .returning();
    return toJson(row!);
  });
}

/**
 * Makes what the owner wrote to a contact a sample for everybody, with personal data masked. Call it with his own twin, locked.
 * @throws Problem 409 when there are too many; 422
 */
export async function openSample(
  tx: Tx,
  { organizationId }: Tenant,
  { twinId, contactId, text }: { twinId: string; contactId: number; text: string },
): Promise<StyleSample> {
  refuseHumanClaim(text);
  await requireRoom(tx, twinId);
  const masked = await maskedText(tx, twinId, text);
  const [row] = await tx
    .insert(styleSamples)
    .values({ orgId: organizationId, twinId, origin: "opened", text: masked, contactId })
    .returning();
  return toJson(row!);
}

/** @throws Problem 422 */
function refuseHumanClaim(text: string): void {
  if (claimsToBeHuman(text))
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
}

/** @throws Problem 409 when the owner's own samples are too many */
async function requireRoom(tx: Tx, twinId: string): Promise<void> {
  const own = and(eq(styleSamples.twinId, twinId), ne(styleSamples.origin, "common"));
  const [known] = await tx.select({ total: count() }).from(styleSamples).where(own);
  if ((known?.total ?? 0) >= MOST_OWN)
    throw conflict("too_many_samples", `Своих образцов уже ${MOST_OWN}: удалите лишние`);
}

const maskedText = async (tx: Tx, twinId: string, text: string): Promise<string> =>
  (await openSampleMask(tx, twinId))(text);

/**
 * Opens a past reply as a sample, or remembers that the owner does not want it proposed.
 * @param shown the masked text that he has read
 * @throws Problem 404 when the reply is gone, 409 when it reads otherwise now or there are too many samples
 */
export function decidePhrase(
  db: Database,
  caller: Caller,
  twinId: string,
  { pairId, open, text: shown }: { pairId: string; open: boolean; text: string },
): Promise<StyleSample | null> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const replyExampleId = Number(pairId);
    const orgId = caller.organizationId;
    const [pair] = await tx
      .select({ reply: replyExamples.reply })
      .from(replyExamples)
      .where(and(eq(replyExamples.twinId, twinId), eq(replyExamples.id, replyExampleId)))
      .for("key share");
    if (pair === undefined) throw notFound("Этого ответа больше нет", "style_sample_not_found");
    if (!open) {
      const contentHash = Buffer.from(hashOfSample(shown), "hex");
      await tx.insert(declinedReplies).values({ orgId, twinId, contentHash }).onConflictDoNothing();
      return null;
    }
    // Names become known as contacts are added, so what is masked may have changed.
    if ((await maskedText(tx, twinId, pair.reply.trim())) !== shown)
      throw conflict("phrase_changed", "Этот ответ теперь читается иначе: обновите страницу");
    await requireRoom(tx, twinId);
    const [row] = await tx
      .insert(styleSamples)
      .values({ orgId, twinId, origin: "opened", text: shown, replyExampleId })
      .onConflictDoNothing()
      .returning();
    if (row === undefined) throw conflict("phrase_changed", "Этот ответ уже среди образцов: обновите страницу");
    return toJson(row);
  });
}

/** Removes a sample that the owner wrote or opened. @throws Problem 404 */
export async function removeSample(db: Database, caller: Caller, twinId: string, sampleId: string): Promise<void> {
  await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const gone = await tx
      .delete(styleSamples)
      .where(
        and(eq(styleSamples.id, Number(sampleId)), eq(styleSamples.twinId, twinId), ne(styleSamples.origin, "common")),
      );
    if (gone.rowCount === 0) throw sampleNotFound();
  });
}

/** Opens or closes a sample. A closed one is in no prompt from now on. @throws Problem 404 */
export function setSampleOpen(
  db: Database,
  caller: Caller,
  twinId: string,
  { sampleId, open }: { sampleId: string; open: boolean },
): Promise<StyleSample> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const [row] = await tx
      .update(styleSamples)
      .set({ state: open ? "open" : "closed" })
      .where(and(eq(styleSamples.id, Number(sampleId)), eq(styleSamples.twinId, twinId)))
      .returning();
    if (row === undefined) throw sampleNotFound();
    // Remembered without its words, because common samples are deleted and chosen anew.
    const contentHash = Buffer.from(hashOfSample(row.text), "hex");
    if (!open) {
      await tx
        .insert(declinedReplies)
        .values({ orgId: caller.organizationId, twinId, contentHash })
        .onConflictDoNothing();
    } else {
      await tx
        .delete(declinedReplies)
        .where(and(eq(declinedReplies.twinId, twinId), eq(declinedReplies.contentHash, contentHash)));
    }
    return toJson(row);
  });
}

/**
 * Returns the digest under which a sample is remembered as unwanted.
 * Not the digest of a reply: a closed sample may still be an answer to everybody, and a withdrawn answer a sample.
 */
export const hashOfSample = (text: string): string => createHash("sha256").update(`sample\n${text}`).digest("hex");

const sampleNotFound = () => notFound("Такого образца больше нет", "style_sample_not_found");

const toJson = ({ id, origin, incoming, text, state }: typeof styleSamples.$inferSelect): StyleSample => ({
  id: String(id),
  origin,
  incoming,
  text,
  state,
});
