/** Quality of a twin as shown to its owner: the style profile, the fidelity with its history, and the blind test. */
import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import {
  BLIND_PAIRS,
  type BlindAnswers,
  type BlindResult,
  type BlindTest,
  ENOUGH_TO_BE_SURE,
  type FidelityMeasure,
  OwnersStyle,
  type StyleGroup,
  StyleProfile,
  type TwinQuality,
} from "#contract/quality.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { blindTests, fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import type { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { failedJobAt } from "#server/platform/jobs/job-state.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { unlikePairs } from "./unlike-pairs.ts";
import { shuffled } from "./verifier.ts";

const HISTORY = 30;
const WORST = 8;
const SHOWN_TESTS = 10;

type TwinRow = typeof twins.$inferSelect;
type MeasureRow = typeof fidelityMeasures.$inferSelect;

interface QualityDeps {
  db: Database;
  jobs: Jobs;
}

/** @throws Problem 404 */
export function twinQuality(db: Database, caller: Caller, id: string): Promise<TwinQuality> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, id);
    const style = OwnersStyle.safeParse(twin.styleProfile);
    const profile = StyleProfile.safeParse(twin.styleProfile);
    const [newest] = await measuresOf(tx, id, 1);
    const [ofStrangers] = await measuresOf(tx, id, 1, { audience: "strangers" });
    const measured = await measuresOf(tx, id, HISTORY, { withFigures: true });
    const worst = newest === undefined ? [] : unlikePairs(await compared(tx, newest.id), WORST);
    const tests = await tx
      .select({ takenAt: blindTests.takenAt, right: blindTests.right, total: blindTests.total })
      .from(blindTests)
      .where(eq(blindTests.twinId, id))
      .orderBy(desc(blindTests.takenAt))
      .limit(SHOWN_TESTS);
    return {
      profile: profile.success ? profile.data : null,
      groups: await withPeople(tx, id, style.success ? (style.data.groups ?? []) : []),
      measure: newest === undefined ? null : toJson(newest, twin),
      strangers: ofStrangers === undefined ? null : toJson(ofStrangers, twin),
      failedAt: (await failedJobAt(tx, "measure-fidelity", id))?.toISOString() ?? null,
      history: measured.reverse().map(({ measuredAt, value, low, high }) => ({
        measuredAt: measuredAt.toISOString(),
        value: value!,
        low: low!,
        high: high!,
      })),
      blindTestReady: (await telling(tx, id)).length >= BLIND_PAIRS,
      worst: worst.map(({ logit: _, replyExampleId: __, ...pair }) => ({ ...pair, id: String(pair.id) })),
      blindTests: tests.map(({ takenAt, ...counts }) => ({ takenAt: takenAt.toISOString(), ...counts })),
    };
  });
}

const NAMES = 6;

async function withPeople(tx: Tx, twinId: string, groups: readonly StyleGroup[]): Promise<TwinQuality["groups"]> {
  if (groups.length === 0) return [];
  const { rows } = await tx.execute(sql`
    select style_group as key, count(*)::int as contacts,
      (array_agg(name order by answered desc, id))[1:${sql.raw(String(NAMES))}] as names
    from (
      select style_group, min(id) as id, sum(answered) as answered, (array_agg(name order by answered desc, id))[1] as name
      from (
        select c.id, c.name, c.style_group, coalesce(c.person_id::text, c.id::text) as person,
          (select count(*) from ${replyExamples} e where e.contact_id = c.id) as answered
        from ${contacts} c where c.twin_id = ${twinId} and c.style_group is not null
      ) placed
      group by style_group, person
    ) people
    group by style_group`);
  const people = new Map(rows.map((row) => [row.key as string, row as { contacts: number; names: string[] }]));
  return groups.map((group) => ({
    ...group,
    contacts: people.get(group.key)?.contacts ?? 0,
    names: people.get(group.key)?.names ?? [],
  }));
}

/** @throws Problem 404; 409 when there are no messages of the owner to compare with */
export function requestMeasure({ db, jobs }: QualityDeps, caller: Caller, id: string): Promise<{ queued: true }> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, id);
    if (twin.styleProfile === null) {
      throw conflict("nothing_to_measure", "Сначала загрузите переписку: двойнику пока не на кого быть похожим");
    }
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "measure-fidelity", { organizationId, userId, twinId: id });
    return { queued: true as const };
  });
}

/** Returns ten pairs of the newest measure, different ones for each test. @throws Problem 404; 409 without a measure */
export function blindTest(db: Database, caller: Caller, id: string): Promise<BlindTest> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, id);
    const test = randomUUID();
    const pairs = shuffled(await telling(tx, id), seededRandom(test)).slice(0, BLIND_PAIRS);
    if (pairs.length < BLIND_PAIRS) {
      throw conflict("nothing_to_compare", "Для слепого теста нужно измерить похожесть хотя бы на десяти ответах");
    }
    return {
      id: test,
      pairs: pairs.map(({ id, contactName, incoming, ownerReply, twinReply }) => ({
        id: String(id),
        contactName,
        incoming,
        replies: ownPlace(test, id) === 0 ? [ownerReply, twinReply] : [twinReply, ownerReply],
      })),
    };
  });
}

/** Stores the result once per test. @throws Problem 404; 409 when the test was answered before */
export function answerBlindTest(
  db: Database,
  caller: Caller,
  id: string,
  { test, answers }: BlindAnswers,
): Promise<BlindResult> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, id);
    const known = new Set((await telling(tx, id)).map((pair) => String(pair.id)));
    const asked = new Map(answers.filter((answer) => known.has(answer.id)).map((answer) => [answer.id, answer.choice]));
    if (asked.size === 0) throw notFound("Этого теста больше нет: начните новый", "blind_test_gone");
    const own = [...asked.keys()].map((pair) => ({ id: pair, choice: ownPlace(test, Number(pair)) }));
    const right = own.filter((answer) => asked.get(answer.id) === answer.choice).length;
    const result = { right, total: own.length };
    const [stored] = await tx
      .insert(blindTests)
      .values({ id: test, orgId: caller.organizationId, twinId: id, userId: caller.userId, ...result })
      .onConflictDoNothing()
      .returning({ id: blindTests.id });
    if (stored === undefined) throw conflict("blind_test_answered", "Этот тест уже пройден: начните новый");
    return { ...result, own };
  });
}

/** Position, 0 or 1, of the owner's reply. It is derived on the server, so that the client cannot know it before answering. */
function ownPlace(test: string, pairId: number): 0 | 1 {
  return seededRandom(`${test}:${pairId}`)() < 0.5 ? 0 : 1;
}

async function telling(tx: Tx, twinId: string) {
  const [newest] = await measuresOf(tx, twinId, 1, { withFigures: true });
  if (newest === undefined) return [];
  return (await compared(tx, newest.id)).filter(({ ownerReply, twinReply }) => ownerReply.trim() !== twinReply.trim());
}

/** Returns the newest first. */
function measuresOf(
  tx: Tx,
  twinId: string,
  limit: number,
  { audience = "contacts", withFigures = false }: { audience?: MeasureRow["audience"]; withFigures?: boolean } = {},
): Promise<MeasureRow[]> {
  return tx
    .select()
    .from(fidelityMeasures)
    .where(
      and(
        eq(fidelityMeasures.twinId, twinId),
        eq(fidelityMeasures.audience, audience),
        // Trials of the voice adapters of release 0.2 say nothing of the twin.
        eq(fidelityMeasures.trial, false),
        withFigures ? isNotNull(fidelityMeasures.value) : undefined,
      ),
    )
    .orderBy(desc(fidelityMeasures.id))
    .limit(limit);
}

function compared(tx: Tx, measureId: number) {
  return tx
    .select({
      id: fidelityExamples.id,
      replyExampleId: fidelityExamples.replyExampleId,
      logit: fidelityExamples.logit,
      contactName: contacts.name,
      incoming: replyExamples.incoming,
      ownerReply: replyExamples.reply,
      twinReply: fidelityExamples.reply,
    })
    .from(fidelityExamples)
    .innerJoin(replyExamples, eq(replyExamples.id, fidelityExamples.replyExampleId))
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .where(eq(fidelityExamples.measureId, measureId))
    .orderBy(asc(fidelityExamples.logit), asc(fidelityExamples.id));
}

function toJson(row: MeasureRow, { trainedRevision }: TwinRow): FidelityMeasure {
  const { value, low, high, verified, indistinguishable, ceiling, floor, copyRate, relevance } = row;
  return {
    measuredAt: row.measuredAt.toISOString(),
    outdated: row.revision < trainedRevision,
    lacking: row.lacking,
    rough: value !== null && (["own", "held", "people"] as const).some((what) => row[what] < ENOUGH_TO_BE_SURE[what]),
    figures:
      value === null
        ? null
        : {
            value,
            low: low!,
            high: high!,
            verified: verified!,
            indistinguishable: indistinguishable!,
            ceiling: ceiling!,
            floor: floor!,
            copyRate: copyRate!,
            relevance: relevance!,
          },
    own: row.own,
    held: row.held,
    people: row.people,
    model: row.model,
    handedOver: row.handedOver,
  };
}
