import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { personOfContacts } from "#server/knowledge/messages/people.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import { ReadingThreads } from "#server/platform/untrusted-text/threads.ts";
import { subjectParts } from "./fact-of-pair.ts";
import readFacts, { type PageFact, type PairPage } from "./fact-reader.ts";
import { type GatheredFact, joinSubjects, type Subject, withFact } from "./join-subjects.ts";

/** Number of newest pairs that are read: an answer not given since is outdated. */
const MAX_PAIRS = 100_000;
/** Maximum pairs of a page. */
const PAGE = 1000;
/** Maximum number of pairs of a twin that are read without a thread, which would take longer to start. */
const FEW_PAIRS = 50;
const LONGEST = 1000;
/** Number of newest subjects that are kept; `MAX_VALUES`: of answers to each. */
const MAX_SUBJECTS = 5000;
const MAX_VALUES = 5;
const LEANS_WITHIN_MINUTES = 60;

const threads = new ReadingThreads<PairPage, PageFact[]>({
  file: new URL("fact-reader.ts", import.meta.url),
  withinMs: 60_000,
});

interface Row {
  id: number;
  contactId: number;
  chatId: number;
  incoming: string;
  reply: string;
  /** Time of the reply, in milliseconds since 1970. */
  at: number;
}

/** Returns the facts by subject, whatever the wording, each with its values, newest first. */
export async function gatherFacts(
  db: Database,
  tenant: Tenant,
  twinId: string,
  signal: AbortSignal,
): Promise<GatheredFact[][]> {
  const within = <T>(work: (tx: Tx) => Promise<T>) => asTenant(db, tenant, work);
  const people = await within((tx) => personOfContacts(tx, twinId));
  const names = await within((tx) => namesOf(tx, twinId));
  const found = new Map<string, Subject>();
  const seen = new Set<string>();
  let before = Number.MAX_SAFE_INTEGER;
  const portion = new AdaptiveBatchSize(PAGE);
  for (let read = 0; read < MAX_PAIRS; ) {
    signal.throwIfAborted();
    const pairsAtMost = portion.rows;
    read += pairsAtMost;
    const rows = await within((tx) =>
      portion.measure(
        () => readPage(tx, twinId, before, pairsAtMost),
        ({ length }) => length,
      ),
    );
    if (rows.length === 0) break;
    before = rows.at(-1)!.id;
    const page = { names, ...packed(rows) };
    const isFew = read === pairsAtMost && rows.length < pairsAtMost && rows.length <= FEW_PAIRS;
    const facts = isFew ? readFacts(page) : await threads.read(tenant.organizationId, page);
    for (const [at, told] of Map.groupBy(facts, ({ at }) => at)) {
      const row = rows[at]!;
      // A conversation imported twice, even under different names, counts once.
      const exchange = sha256(`${Math.floor(row.at / 60_000)}\n${row.incoming}\n${row.reply}`).toString("base64");
      if (seen.has(exchange)) continue;
      seen.add(exchange);
      for (const fact of told) add(found, fact, row, people.get(row.contactId) ?? -row.contactId);
    }
    if (rows.length < pairsAtMost) break;
  }
  return joinSubjects([...found.values()]).map((values) =>
    values.sort((a, b) => b.saidAt.getTime() - a.saidAt.getTime()).slice(0, MAX_VALUES),
  );
}

function add(
  found: Map<string, Subject>,
  { subject, value, question, reply }: Omit<PageFact, "at">,
  { id, at }: Row,
  person: number,
): void {
  let known = found.get(subject);
  if (known === undefined) {
    if (found.size >= MAX_SUBJECTS) return;
    known = { ...subjectParts(subject), values: new Map() };
    found.set(subject, known);
  }
  const saidAt = new Date(at);
  const hashes = { subjects: [sha256(subject)], value: sha256(value) };
  const fact = { ...hashes, replyExampleId: id, question, reply, saidAt, times: 1, people: new Set([person]) };
  const before = known.values.get(value);
  known.values.set(value, before === undefined ? fact : withFact(before, fact));
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

async function namesOf(tx: Tx, twinId: string): Promise<string[]> {
  const { rows } = await tx.execute(sql`select distinct name from contacts where twin_id = ${twinId}`);
  return rows.map(({ name }) => String(name));
}

async function readPage(tx: Tx, twinId: string, before: number, pairsAtMost: number): Promise<Row[]> {
  const { rows } = await tx.execute(sql`
    select e.id, e.contact_id as "contactId", e.chat_id as "chatId", left(e.incoming, ${LONGEST}) as incoming,
      left(e.reply, ${LONGEST}) as reply, floor(date_part('epoch', e.replied_at) * 1000) as at
    from reply_examples e where (e.twin_id, e.id) < (${twinId}, ${before}) and e.twin_id >= ${twinId}
    order by e.twin_id desc, e.id desc limit ${pairsAtMost}`);
  return rows.map((row) => ({
    id: Number(row.id),
    contactId: Number(row.contactId),
    chatId: Number(row.chatId),
    incoming: String(row.incoming),
    reply: String(row.reply),
    at: Number(row.at),
  }));
}

/** The preceding question is searched for within the page, because pairs of a conversation have consecutive ids. */
function packed(rows: readonly Row[]): Omit<PairPage, "names"> {
  const last = new Map<number, Row>();
  const before = new Array<string | null>(rows.length).fill(null);
  const inTime = rows.map((_, at) => at).sort((a, b) => rows[a]!.at - rows[b]!.at || rows[a]!.id - rows[b]!.id);
  for (const at of inTime) {
    const row = rows[at]!;
    const earlier = last.get(row.chatId);
    if (earlier?.contactId === row.contactId && row.at - earlier.at <= LEANS_WITHIN_MINUTES * 60_000)
      before[at] = earlier.incoming;
    last.set(row.chatId, row);
  }
  return { incoming: rows.map(({ incoming }) => incoming), replies: rows.map(({ reply }) => reply), before };
}
