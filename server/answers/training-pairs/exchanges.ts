/** Exchanges for training a model: messages with the owner's answers, from the twin's history, without contacts who refused AI answers. */
import { and, asc, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { readHistory } from "#server/answers/fidelity/read-history.ts";
import { type Part, SESSION_PAUSE_MS, splitHistory } from "#server/answers/fidelity/split-history.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { KnownPeople } from "./redact-exchange.ts";

const MAX_EXCHANGES = 50_000;
const PAGE = 500;

export interface Exchange {
  chatId: number;
  /** Number of its session; a pause of more than six hours separates sessions. */
  session: number;
  incoming: string;
  reply: string;
}

const usable = (twinId: string): SQL | undefined =>
  and(
    eq(replyExamples.twinId, twinId),
    eq(messages.isTrainingData, true),
    or(isNull(contacts.consent), ne(contacts.consent, "refused")),
  );

/** Counts before exchanges with personal data are left out. */
export async function countExchanges(tx: Tx, twinId: string): Promise<number> {
  const { rows } = await tx.execute(sql`select count(*) as count from (
    select 1 from ${replyExamples} join ${messages} on ${messages.id} = ${replyExamples.replyMessageId}
    join ${contacts} on ${contacts.id} = ${replyExamples.contactId}
    where ${usable(twinId)} limit ${MAX_EXCHANGES}) as found`);
  return Number(rows[0]!.count);
}

/** Sessions for training and held-out ones: fidelity is measured on the latter, so no model is to be trained on them. */
interface SplitSessions {
  partOf: ReadonlyMap<number, Part>;
  sessionOf: ReadonlyMap<number, number>;
}

export async function splitSessions(db: Database, place: Tenant & { twinId: string }): Promise<SplitSessions> {
  const { messages: history } = await readHistory(db, place);
  // The two random halves of the older sessions are used together here.
  const { partOf } = splitHistory(history, seededRandom("pairs"));
  const sessionOf = new Map<number, number>();
  let session = 0;
  let before: (typeof history)[number] | null = null;
  for (const message of history) {
    if (before?.chatId !== message.chatId || message.at - before.at > SESSION_PAUSE_MS) session++;
    sessionOf.set(message.id, session);
    before = message;
  }
  return { partOf, sessionOf };
}

/** Yields the exchanges of one part by chat and time; each page is read in its own transaction. */
export async function* exchangesOf(
  db: Database,
  { twinId, ...tenant }: Tenant & { twinId: string },
  { partOf, sessionOf }: SplitSessions,
  wanted: "train" | "test",
): AsyncGenerator<Exchange[]> {
  const all = await asTenant(db, tenant, (tx) =>
    tx
      .select({ id: replyExamples.replyMessageId })
      .from(replyExamples)
      .innerJoin(messages, eq(messages.id, replyExamples.replyMessageId))
      .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
      .where(usable(twinId))
      .orderBy(asc(replyExamples.chatId), asc(replyExamples.repliedAt), asc(replyExamples.replyMessageId))
      .limit(MAX_EXCHANGES),
  );
  const ids = all.flatMap(({ id }) => {
    const part = partOf.get(id);
    return part !== undefined && (part === "held") === (wanted === "test") ? [id] : [];
  });
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE);
    const rows = await asTenant(db, tenant, (tx) =>
      tx
        .select({
          id: replyExamples.replyMessageId,
          chatId: replyExamples.chatId,
          incoming: replyExamples.incoming,
          reply: replyExamples.reply,
        })
        .from(replyExamples)
        .where(
          and(
            eq(replyExamples.twinId, twinId),
            sql`${replyExamples.replyMessageId} = any(${sql.param(page)}::bigint[])`,
          ),
        ),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield page.flatMap((id) => {
      const { chatId, incoming, reply } = byId.get(id) ?? {};
      return chatId === undefined ? [] : [{ chatId, session: sessionOf.get(id)!, incoming: incoming!, reply: reply! }];
    });
  }
}

export async function peopleOf(db: Database, { twinId, ...tenant }: Tenant & { twinId: string }): Promise<KnownPeople> {
  const rows = await asTenant(db, tenant, (tx) =>
    tx.select({ name: contacts.name, handle: contacts.handle }).from(contacts).where(eq(contacts.twinId, twinId)),
  );
  const [own] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, tenant.userId));
  const [twin] = await asTenant(db, tenant, (tx) =>
    tx.select({ publicName: twins.publicName }).from(twins).where(eq(twins.id, twinId)),
  );
  const names = [...rows.map(({ name }) => name), own?.firstName, own?.lastName, twin?.publicName];
  return new KnownPeople(
    names.filter((name) => name !== null && name !== undefined),
    rows.flatMap(({ handle }) => handle ?? []),
  );
}
