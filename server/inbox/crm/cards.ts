/**
 * Creates one contact and one deal for each answered conversation. The row records each call beforehand, so after a crash or a lost
 * response the CRM is first searched for the result.
 */
import { and, asc, eq, inArray, isNull, lte, or } from "drizzle-orm";
import { CRM_NAMES } from "#contract/integrations/crm.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { crmCards, crmConnections, crmTwins } from "#server/platform/db/schema/programs.ts";
import { sharedText } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import { type CrmCard, type CrmIds, type CrmSession, CrmTrouble } from "./crm-system.ts";
import { type CrmDeps, KEEP_ALIVE_MS, protocolOf, type RefreshTimes, signInAgain, validTokens } from "./tokens.ts";

type Job = JobData["fill-crm"];
type Row = typeof crmCards.$inferSelect;
type CardDeps = CrmDeps & { log: Log };

const IN_ONE_RUN = 50;
/** Milliseconds after which the CRM's search finds a new deal; a lost call is checked no earlier. */
const SETTLED_MS = 30_000;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3600_000;
/** Maximum number of attempts. With the growing pauses between them they take about four days. */
const ATTEMPTS = 24;
const LINES = 40;
const TEXT_LIMIT = 8_000;

interface CardTimes extends RefreshTimes {
  settledMs?: number;
}

/** Called in the transaction that writes an answer into its conversation: the first answer makes the card due. */
export async function markCardDue(
  tx: Tx,
  place: { orgId: string; twinId: string; conversationId: string },
): Promise<void> {
  const [chosen] = await tx
    .select({ connectionId: crmTwins.connectionId })
    .from(crmTwins)
    .where(eq(crmTwins.twinId, place.twinId));
  if (chosen === undefined) return;
  await tx
    .insert(crmCards)
    .values({ ...place, connectionId: chosen.connectionId })
    .onConflictDoNothing();
}

/** Runs the job: all due cards of one connection, one after the other. */
export async function syncCrmCards(
  deps: CardDeps,
  job: Job,
  signal: AbortSignal,
  times: CardTimes = {},
): Promise<void> {
  const { db, config, log } = deps;
  const [connection] = await asTenant(db, job, (tx) =>
    tx.select().from(crmConnections).where(eq(crmConnections.id, job.connectionId)),
  );
  if (connection === undefined || connection.state === "broken") return;
  let refused: string | null = null;
  for (let filled = 0; filled < IN_ONE_RUN && !signal.aborted; filled++) {
    let due: Due | undefined;
    try {
      // Runs even if nothing is due, because unused refresh tokens expire.
      const tokens = await validTokens(deps, job, connection.id, refused, times);
      if (tokens === undefined) return;
      due = await asTenant(db, job, (tx) => claimNext(tx, deps, job, times.settledMs ?? SETTLED_MS));
      if (due === undefined) return;
      const session = protocolOf(config, connection.system).open(connection.host, tokens.accessToken, signal);
      try {
        await make(deps, job, session, due);
        refused = null;
      } catch (error) {
        if (!(error instanceof CrmTrouble) || error.kind !== "auth" || refused !== null) throw error;
        // The CRM may have revoked the access token early. The card is retried with a new one, as after a lost response.
        refused = tokens.accessToken;
        await write(deps, job, due.row, { calledAt: null });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CrmTrouble)) throw error;
      log.info({ err: error, connection: connection.id }, "a card could not be made in the CRM");
      if (due === undefined) return;
      if (error.kind === "auth") return giveUp(deps, job, connection);
      await settleTrouble(deps, job, due.row, error, CRM_NAMES[connection.system]);
      if (error.kind !== "refused") return;
    }
  }
}

/** A card whose response was lost waits until the CRM's search can find it. */
const isDue = (now: Date, settledMs: number) =>
  and(
    inArray(crmCards.state, ["waiting", "making", "noting"]),
    lte(crmCards.nextAttemptAt, now),
    or(isNull(crmCards.calledAt), lte(crmCards.calledAt, new Date(now.getTime() - settledMs))),
  );

interface Due {
  row: Row;
  /** Whether no call was made for it yet. */
  fresh: boolean;
  card: CrmCard;
  link: string;
  note: string;
}

/** Marks the next due card before any call is made for it. */
async function claimNext(tx: Tx, { config }: CrmDeps, job: Job, settledMs: number): Promise<Due | undefined> {
  const now = new Date();
  const [found] = await tx
    .select({
      row: crmCards,
      participantName: conversations.participantName,
      platform: conversations.platform,
      handle: contacts.handle,
      includeTexts: crmTwins.includeTexts,
    })
    .from(crmCards)
    .innerJoin(conversations, eq(conversations.id, crmCards.conversationId))
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .innerJoin(crmTwins, and(eq(crmTwins.twinId, crmCards.twinId), eq(crmTwins.connectionId, crmCards.connectionId)))
    .where(and(eq(crmCards.connectionId, job.connectionId), isDue(now, settledMs)))
    .orderBy(asc(crmCards.nextAttemptAt), asc(crmCards.createdAt))
    .limit(1)
    .for("update", { of: crmCards });
  if (found === undefined) return undefined;
  const { participantName, platform, handle, includeTexts } = found;
  const fresh = found.row.state === "waiting";
  const [row] = await tx
    .update(crmCards)
    .set({ state: found.row.state === "noting" ? "noting" : "making", calledAt: now, attempts: found.row.attempts + 1 })
    .where(eq(crmCards.id, found.row.id))
    .returning();
  const link = `${config.publicUrl}/conversations?dialog=${row!.conversationId}`;
  const words = includeTexts ? await wordsOf(tx, row!.conversationId, participantName) : "";
  const name = participantName.trim() || "Без имени";
  const from = PLATFORM_NAMES[platform as keyof typeof PLATFORM_NAMES] ?? "Диалог";
  return {
    row: row!,
    fresh,
    card: { key: row!.conversationId, name, from, ...reachedBy(handle) },
    link,
    note: [`Диалог в «Цифровых двойниках»: ${link}`, words].filter((part) => part !== "").join("\n\n"),
  };
}

/** Returns the contact's phone or email, if the name on the platform contains one. */
function reachedBy(handle: string | null): Pick<CrmCard, "phone" | "email"> {
  const said = handle?.trim() ?? "";
  return {
    phone: /^\+?\d[\d ()-]{8,20}$/.test(said) ? said : null,
    email: /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/.test(said) && said.includes(".") ? said : null,
  };
}

async function wordsOf(tx: Tx, conversationId: string, name: string): Promise<string> {
  const lines = await tx
    .select({
      role: conversationMessages.role,
      content: sharedText(conversationMessages.content, conversationMessages.secrecy),
    })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, conversationId))
    .orderBy(asc(conversationMessages.id))
    .limit(LINES);
  return lines
    .map(({ role, content }) => `${role === "user" ? name : "Ответ"}: ${content}`)
    .join("\n")
    .slice(0, TEXT_LIMIT)
    .toWellFormed();
}

async function make(
  deps: CardDeps,
  job: Job,
  session: CrmSession,
  { row, fresh, card, link, note }: Due,
): Promise<void> {
  let { contactId, dealId }: CrmIds = row;
  let noteMayBe = row.state === "noting";
  if (dealId === null || contactId === null) {
    const found = fresh ? { contactId: null, dealId: null } : await session.find(card);
    const made =
      found.dealId !== null && found.contactId !== null
        ? { contactId: found.contactId, dealId: found.dealId }
        : await session.make(card, found);
    ({ contactId, dealId } = made);
    noteMayBe = false;
    await write(deps, job, row, { ...made, state: "noting", calledAt: new Date() });
  }
  if (!(noteMayBe && (await session.hasNote(dealId, link)))) await session.addNote(dealId, note);
  await write(deps, job, row, { state: "made", error: null, calledAt: null, madeAt: new Date() });
}

const write = ({ db }: CrmDeps, job: Job, { id }: Row, set: Partial<typeof crmCards.$inferInsert>) =>
  asTenant(db, job, (tx) => tx.update(crmCards).set(set).where(eq(crmCards.id, id)));

async function settleTrouble(deps: CardDeps, job: Job, row: Row, trouble: CrmTrouble, name: string): Promise<void> {
  if (trouble.kind === "refused" || row.attempts >= ATTEMPTS) {
    const error = trouble.kind === "refused" ? trouble.message : `${name} не отвечает несколько дней`;
    await write(deps, job, row, { state: "failed", error });
    return;
  }
  const wait = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.attempts - 1, 20), LONGEST_PAUSE_MS);
  await write(deps, job, row, { error: trouble.message, nextAttemptAt: new Date(Date.now() + wait) });
}

/** The CRM refused a new access token too. The cards continue once the administrator has signed in again. */
async function giveUp({ db }: CrmDeps, job: Job, { id, system }: typeof crmConnections.$inferSelect): Promise<void> {
  await asTenant(db, job, (tx) =>
    tx
      .update(crmConnections)
      .set({ state: "broken", reason: signInAgain(system) })
      .where(eq(crmConnections.id, id)),
  );
}

/** Finds connections with due cards, or whose refresh token should be used before it expires, for the periodic sweep. */
export async function findDueConnections(tx: Tx): Promise<Job[]> {
  const now = new Date();
  const columns = { organizationId: crmConnections.orgId, connectionId: crmConnections.id };
  const connected = eq(crmConnections.state, "connected");
  const cards = await tx
    .selectDistinct({ ...columns, userId: twins.ownerId })
    .from(crmCards)
    .innerJoin(crmConnections, eq(crmConnections.id, crmCards.connectionId))
    .innerJoin(twins, eq(twins.id, crmCards.twinId))
    .innerJoin(crmTwins, and(eq(crmTwins.twinId, crmCards.twinId), eq(crmTwins.connectionId, crmCards.connectionId)))
    .where(and(connected, isDue(now, SETTLED_MS)));
  const idle = await tx
    .selectDistinct({ ...columns, by: crmConnections.connectedBy, owner: twins.ownerId })
    .from(crmConnections)
    .leftJoin(crmTwins, eq(crmTwins.connectionId, crmConnections.id))
    .leftJoin(twins, eq(twins.id, crmTwins.twinId))
    .where(and(connected, lte(crmConnections.refreshedAt, new Date(now.getTime() - KEEP_ALIVE_MS))));
  // The member who connected the CRM may have left; if no twin uses it either, the access is removed.
  const kept = idle.flatMap(({ by, owner, ...rest }) => {
    const userId = by ?? owner;
    return userId === null ? [] : [{ ...rest, userId }];
  });
  // Each connection gets one job, although several twins of several owners may use it.
  return [...new Map([...kept, ...cards].map((job) => [job.connectionId, job])).values()];
}
