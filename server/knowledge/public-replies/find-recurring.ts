/** Reads a twin's pairs and finds recurring replies (recurring.ts) and questions for the owner. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { type People, personOfContacts } from "#server/knowledge/messages/people.ts";
import { termKey } from "#server/knowledge/search/index-segment.ts";
import { threadEnvironment } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { Detector, type PairPage, type PairSets } from "./detector.ts";
import type { DetectorCall } from "./detector-worker.ts";
import type { CandidatePair, Recurring } from "./recurring.ts";

/** Number of newest pairs of private chats that are read: an answer not given since does not recur. */
const MAX_PAIRS = 100_000;
const PAGE = 2500;
/** Maximum number of pairs compared without a thread, which would take longer to start. */
const FEW_PAIRS = 1000;
/** Pairs that are compared here in one piece of background work. */
const COMPARED_AT_ONCE = 100;

const LONGEST = 1000;

export interface RecurringReplies {
  recurring: Recurring[];
  /** Sets of pairs, largest number of people first. */
  chosen: PairSets;
  people: People;
}

export async function findRecurring(
  db: Database,
  tenant: Tenant,
  twinId: string,
  signal: AbortSignal,
): Promise<RecurringReplies> {
  const within = <T>(work: (tx: Tx) => Promise<T>) => asTenant(db, tenant, work);
  const people = await within((tx) => personOfContacts(tx, twinId));
  const pages = readPages(within, twinId, people, signal);
  const first: PairPage[] = [];
  let page = await pages.next();
  let pairs = 0;
  for (; !page.done && pairs <= FEW_PAIRS; page = await pages.next()) {
    first.push(page.value);
    pairs += page.value.ids.length;
  }
  if (first.length === 0) return { recurring: [], chosen: { said: [], asked: [] }, people };
  const thread = pairs > FEW_PAIRS ? startThread(signal) : null;
  try {
    const here = new Detector();
    const call = <Answer>(asked: DetectorCall, do_: (detector: Detector) => Answer): Promise<Answer> =>
      thread === null ? backgroundThrottle.compute(() => do_(here)) : (thread.call(asked) as Promise<Answer>);
    const add = (value: PairPage) => call({ add: value }, (detector) => detector.add(value));
    for (const value of thread === null ? first.flatMap(inParts) : first) await add(value);
    for (; !page.done; page = await pages.next()) await add(page.value);
    const chosen = await call({ choose: true }, (detector) => detector.choose());
    const sets: CandidatePair[][] = [];
    for (const { ids, people: size } of chosen.said) {
      if (size >= 2) sets.push(await within((tx) => readPairs(tx, twinId, ids, people)));
    }
    const recurring = await call({ describe: sets }, (detector) => detector.describe(sets));
    return { recurring, chosen, people };
  } finally {
    await thread?.end();
  }
}

function inParts({ ids, people, incoming, replies }: PairPage): PairPage[] {
  const parts: PairPage[] = [];
  for (let from = 0; from < ids.length; from += COMPARED_AT_ONCE) {
    const of = <Item>(all: readonly Item[]) => all.slice(from, from + COMPARED_AT_ONCE);
    parts.push({ ids: of(ids), people: of(people), incoming: of(incoming), replies: of(replies) });
  }
  return parts;
}

function startThread(signal: AbortSignal) {
  const worker = new Worker(new URL("detector-worker.ts", import.meta.url), {
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 },
  });
  const died = new Promise<never>((_, reject) => worker.once("error", reject));
  died.catch(() => undefined);
  return {
    async call(asked: DetectorCall): Promise<unknown> {
      const answer = once(worker, "message", { signal });
      worker.postMessage(asked);
      return (await Promise.race([answer, died]))[0];
    },
    end: () => worker.terminate(),
  };
}

/** Yields the newest pairs first. A conversation imported twice, even under different names, counts once. */
async function* readPages(
  within: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  twinId: string,
  people: People,
  signal: AbortSignal,
): AsyncGenerator<PairPage, void> {
  const seen = new Set<number>();
  let before = Number.MAX_SAFE_INTEGER;
  const portion = new AdaptiveBatchSize(PAGE);
  for (let read = 0; read < MAX_PAIRS; ) {
    signal.throwIfAborted();
    const pairsAtMost = Math.min(portion.rows, MAX_PAIRS - read);
    read += pairsAtMost;
    const { rows } = await within((tx) =>
      portion.measure(
        () =>
          tx.execute(sql`
            select e.id, e.contact_id as "contactId", left(e.incoming, ${LONGEST}) as incoming,
              left(e.reply, ${LONGEST}) as reply, c.kind, floor(date_part('epoch', e.replied_at) / 60) as minute
            from reply_examples e join chats c on c.id = e.chat_id
            where (e.twin_id, e.id) < (${twinId}, ${before}) and e.twin_id >= ${twinId}
            order by e.twin_id desc, e.id desc limit ${pairsAtMost}`),
        (found) => found.rows.length,
      ),
    );
    if (rows.length === 0) return;
    before = Number(rows.at(-1)!.id);
    const page: PairPage = { ids: [], people: [], incoming: [], replies: [] };
    for (const { id, contactId, incoming, reply, kind, minute } of rows as unknown as PairRow[]) {
      const person = people.get(contactId);
      const exchange = termKey(`${minute}\n${incoming}\n${reply}`);
      if (kind !== "private" || person === undefined || seen.has(exchange)) continue;
      seen.add(exchange);
      page.ids.push(id);
      page.people.push(person);
      page.incoming.push(incoming);
      page.replies.push(reply);
    }
    yield page;
    if (rows.length < pairsAtMost) return;
  }
}

interface PairRow {
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
  kind: string;
  minute: number;
}

async function readPairs(tx: Tx, twinId: string, ids: readonly number[], people: People): Promise<CandidatePair[]> {
  const { rows } = await tx.execute(sql`
    select id, contact_id as "contactId", left(incoming, ${LONGEST}) as incoming, reply from reply_examples
    where twin_id = ${twinId} and id = any(${sql.param(ids)}::bigint[]) and length(reply) <= ${LONGEST} order by id`);
  return (rows as unknown as (Omit<PairRow, "kind" | "minute"> & { contactId: number })[]).map(
    ({ contactId, ...pair }) => ({ ...pair, person: people.get(contactId) ?? -contactId }),
  );
}
