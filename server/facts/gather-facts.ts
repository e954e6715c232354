/** Reads a twin's pairs page by page and gathers what of them is a fact, equal ones together. */
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { ReadingThreads } from "#server/foreign-text/threads.ts";
import { personOfContacts } from "#server/knowledge/people.ts";
import readFacts, { type PageFact, type PairPage } from "./fact-reader.ts";

/** The newest; what nobody was told since is no answer any more. */
const MOST_PAIRS = 100_000;
const PAGE = 1000;
/** Up to so many are read here: a thread would take longer to start. */
const FEW_PAIRS = 200;
/** Characters of a text that are looked at. */
const LONGEST = 1000;
/** Things asked that are kept, the newest, and answers to one of them. */
const MOST_SUBJECTS = 5000;
const MOST_VALUES = 5;
/** A question leans on one that was asked within so long. */
const LEANS_WITHIN_MINUTES = 60;

const threads = new ReadingThreads<PairPage, PageFact[]>({
  file: new URL("fact-reader.ts", import.meta.url),
  withinMs: 60_000,
});

export interface GatheredFact {
  subject: Buffer;
  value: Buffer;
  /** Of the newest pair that says it. */
  exemplarId: number;
  question: string;
  reply: string;
  saidAt: Date;
  times: number;
  people: Set<number>;
}

interface Row {
  id: number;
  contactId: number;
  chatId: number;
  incoming: string;
  reply: string;
  /** ms since 1970. */
  at: number;
}

/** By subject, each with its values, the newest first. */
export async function gatherFacts(
  db: Database,
  tenant: Tenant,
  twinId: string,
  signal: AbortSignal,
): Promise<GatheredFact[][]> {
  const within = <T>(work: (tx: Tx) => Promise<T>) => asTenant(db, tenant, work);
  const people = await within((tx) => personOfContacts(tx, twinId));
  const names = await within((tx) => namesOf(tx, twinId));
  const found = new Map<string, Map<string, GatheredFact>>();
  const seen = new Set<string>();
  let before = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MOST_PAIRS; read += PAGE) {
    signal.throwIfAborted();
    const rows = await within((tx) => readPage(tx, twinId, before));
    if (rows.length === 0) break;
    before = rows.at(-1)!.id;
    const page = { names, ...packed(rows) };
    const facts = rows.length <= FEW_PAIRS ? readFacts(page) : await threads.read(tenant.organizationId, page);
    for (const { at, ...fact } of facts) {
      const row = rows[at]!;
      // A talk that was imported twice, under whatever names, counts once.
      const talk = sha256(`${Math.floor(row.at / 60_000)}\n${row.incoming}\n${row.reply}`).toString("base64");
      if (seen.has(talk)) continue;
      seen.add(talk);
      add(found, fact, row, people.get(row.contactId) ?? -row.contactId);
    }
    if (rows.length < PAGE) break;
  }
  return [...found.values()].map((values) =>
    [...values.values()].sort((a, b) => b.saidAt.getTime() - a.saidAt.getTime()).slice(0, MOST_VALUES),
  );
}

function add(
  found: Map<string, Map<string, GatheredFact>>,
  { subject, value, question, reply }: Omit<PageFact, "at">,
  { id, at }: Row,
  person: number,
): void {
  let values = found.get(subject);
  if (values === undefined) {
    if (found.size >= MOST_SUBJECTS) return;
    values = new Map();
    found.set(subject, values);
  }
  const known = values.get(value);
  if (known === undefined) {
    const hashes = { subject: sha256(subject), value: sha256(value) };
    const said = { exemplarId: id, question, reply, saidAt: new Date(at) };
    values.set(value, { ...hashes, ...said, times: 1, people: new Set([person]) });
    return;
  }
  known.times++;
  known.people.add(person);
  if (at > known.saidAt.getTime()) Object.assign(known, { exemplarId: id, question, reply, saidAt: new Date(at) });
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

async function namesOf(tx: Tx, twinId: string): Promise<string[]> {
  const { rows } = await tx.execute(sql`select distinct name from contacts where twin_id = ${twinId}`);
  return rows.map(({ name }) => String(name));
}

/** The newest first. */
async function readPage(tx: Tx, twinId: string, before: number): Promise<Row[]> {
  const { rows } = await tx.execute(sql`
    select e.id, e.contact_id as "contactId", e.chat_id as "chatId", left(e.incoming, ${LONGEST}) as incoming,
      left(e.reply, ${LONGEST}) as reply, floor(date_part('epoch', e.replied_at) * 1000) as at
    from exemplars e where (e.twin_id, e.id) < (${twinId}, ${before}) and e.twin_id >= ${twinId}
    order by e.twin_id desc, e.id desc limit ${PAGE}`);
  return rows.map((row) => ({
    id: Number(row.id),
    contactId: Number(row.contactId),
    chatId: Number(row.chatId),
    incoming: String(row.incoming),
    reply: String(row.reply),
    at: Number(row.at),
  }));
}

/** The question before is looked for within the page: pairs of a talk have ids one behind the other. */
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
