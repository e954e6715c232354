/**
 * Fills the demo's inbox with conversations of the last days in the twins' website chats. Only in that chat does this server play the
 * visitor's side. So a newcomer's messages arrive, and nothing leaves the machine. Past messages are written as they would be stored; later
 * ones take the usual way.
 */
import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { answerLine, usageDay } from "#server/accounts/twins/usage.ts";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { type DemoSlug, demoSlugs, loadDemoContent } from "#server/demo/content/demo-content.ts";
import { type DemoCustomer, loadDemoInbox } from "#server/demo/content/demo-inbox.ts";
import { OPEN_QUESTION } from "#server/inbox/answering/open-questions.ts";
import { contactOf, preview } from "#server/inbox/conversation-control/contact-conversation.ts";
import { saveWidget } from "#server/inbox/widget/settings.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts, documents } from "#server/platform/db/schema/knowledge.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { widgets } from "#server/platform/db/schema/programs.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { noteGaps } from "./seed-demo-gaps.ts";

const MINUTE_MS = 60_000;
/** Milliseconds that the embedded engine takes for an answer. */
const ANSWER_MS = 60;
const OWNER_LEADS_MS = 24 * 60 * MINUTE_MS;

/** The sites from which customers write; the names are reserved, so no one can own them (RFC 2606). */
const SITES: Record<DemoSlug, string> = {
  "shop-support": "https://poltora-chainika.example",
  "sales-manager": "https://karton-ezh.example",
  "private-person": "https://sinitsyn.example",
};

type Line = DemoCustomer["lines"][number];
type Twin = typeof twins.$inferSelect;

interface Deps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
}

interface Place {
  caller: Caller;
  twin: Twin;
  integrationId: string;
  documents: readonly { id: string; name: string; content: string }[];
  now: number;
}

interface Counted {
  twin: Twin;
  conversationId: string;
  question: string;
  confidence: number;
  at: Date;
}

/** Seeds each twin once: a twin with a website chat is skipped. */
export async function seedDemoInbox(deps: Deps, caller: Caller): Promise<void> {
  const names = new Map((await loadDemoContent()).map(({ slug, name }) => [slug, name]));
  const customers = Map.groupBy(await loadDemoInbox(), ({ twin }) => twin);
  for (const slug of demoSlugs) {
    const found = await asTenant(deps.db, caller, (tx) => withoutChat(tx, caller, names.get(slug)!));
    if (found !== null) await seedChat(deps, caller, found, SITES[slug], customers.get(slug) ?? []);
  }
}

/** null: the twin was deleted, or has a website chat. */
async function withoutChat(tx: Tx, caller: Caller, name: string): Promise<Twin | null> {
  const [twin] = await tx
    .select()
    .from(twins)
    .where(and(eq(twins.orgId, caller.organizationId), eq(twins.name, name)));
  if (twin === undefined) return null;
  const existing = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.twinId, twin.id))
    .limit(1);
  return existing.length > 0 ? null : twin;
}

async function seedChat(
  deps: Deps,
  caller: Caller,
  twin: Twin,
  site: string,
  customers: readonly DemoCustomer[],
): Promise<void> {
  await saveWidget(deps, caller, twin.id, {
    enabled: true,
    allowedSites: [site],
    title: "Напишите нам",
    greeting: "Здравствуйте! Чем помочь?",
    color: "#0f5f63",
    autonomy: "auto",
    dailyMessages: 300,
  });
  await asTenant(deps.db, caller, async (tx) => {
    const [widget] = await tx
      .select({ integrationId: widgets.integrationId })
      .from(widgets)
      .where(eq(widgets.twinId, twin.id));
    const known = await tx
      .select({ id: documents.id, name: documents.name, content: documents.content })
      .from(documents)
      .where(eq(documents.twinId, twin.id));
    const place = { caller, twin, integrationId: widget!.integrationId, documents: known, now: Date.now() };
    const counted: Counted[] = [];
    for (const customer of customers) counted.push(...(await seedConversation(tx, place, customer)));
    await countAll(tx, place, counted);
    const { organizationId, userId } = caller;
    await deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId: twin.id });
  });
}

export const customerKey = (twinId: string, name: string): string =>
  createHash("sha256").update(`demo ${twinId} ${name}`).digest("hex");

const momentOf = ({ now }: Place, ago: number) => new Date(now - ago * MINUTE_MS);

async function seedConversation(tx: Tx, place: Place, customer: DemoCustomer): Promise<Counted[]> {
  const { caller, twin, integrationId } = place;
  const { name, lines, draft } = customer;
  const orgId = caller.organizationId;
  const externalId = customerKey(twin.id, name);
  const contactId = await contactOf(tx, { orgId, twinId: twin.id, platform: "web" }, { id: externalId, name });
  await tx
    .update(contacts)
    .set({ createdAt: momentOf(place, lines[0]!.ago) })
    .where(eq(contacts.id, contactId));
  const last = lines.at(-1)!;
  const answered = lines.findLastIndex(({ by }) => by !== "contact");
  const disclosing = lines.findIndex(({ by }) => by === "twin");
  const [conversation] = await tx
    .insert(conversations)
    .values({
      orgId,
      twinId: twin.id,
      platform: "web",
      integrationId,
      externalId,
      contactId,
      participantName: name,
      messageCount: lines.length,
      lastMessage: preview(last.text),
      autonomy: customer.autonomy ?? null,
      pausedUntil: customer.takenOver ? new Date(place.now + OWNER_LEADS_MS) : null,
      disclosedAt: disclosing < 0 ? null : momentOf(place, lines[disclosing]!.ago),
      lastInboundAt: momentOf(place, lines.findLast(({ by }) => by === "contact")!.ago),
      unread: customer.read ? 0 : lines.length - 1 - answered,
      createdAt: momentOf(place, lines[0]!.ago),
      updatedAt: momentOf(place, last.ago),
    })
    .returning({ id: conversations.id });
  const conversationId = conversation!.id;
  const notice = `${disclosureNotice({ publicName: publicNameOf(twin) })}\n\n`;
  await tx.insert(conversationMessages).values(
    lines.map((line, at) => ({
      orgId,
      conversationId,
      role: line.by === "contact" ? ("user" as const) : ("assistant" as const),
      author: line.by === "owner" ? ("owner" as const) : null,
      content: at === disclosing ? notice + line.text : line.text,
      secrecy: "organization" as const,
      citations: line.by === "twin" ? citationsOf(place, line) : null,
      durationMs: line.by === "twin" ? ANSWER_MS : null,
      createdAt: momentOf(place, line.ago),
    })),
  );
  const { userId } = caller;
  await noteGaps(tx, { twin, userId, conversationId, momentOf: (ago) => momentOf(place, ago) }, lines);
  await keepSent(tx, place, conversationId, customer);
  if (draft !== undefined) await seedDraft(tx, place, conversationId, customer, draft);
  return lines.flatMap((line, at) =>
    line.by === "twin"
      ? [
          {
            twin,
            conversationId,
            question: lines.slice(0, at).findLast(({ by }) => by === "contact")!.text,
            confidence: line.confidence ?? 0,
            at: momentOf(place, line.ago),
          },
        ]
      : [],
  );
}

/** Writes the outbox rows of sent messages: without approval, or with it in conversations that only draft. */
async function keepSent(
  tx: Tx,
  place: Place,
  conversationId: string,
  { lines, autonomy }: DemoCustomer,
): Promise<void> {
  const { caller, integrationId } = place;
  const rows = lines.flatMap((line, at) => {
    if (line.by === "contact") return [];
    const sentAt = momentOf(place, line.ago);
    const own = line.by === "owner";
    return [
      {
        orgId: caller.organizationId,
        ...{ integrationId, conversationId, text: line.text, state: "sent" as const, createdAt: sentAt, sentAt },
        author: own ? ("owner" as const) : null,
        question: own ? "" : lines.slice(0, at).findLast(({ by }) => by === "contact")!.text,
        original: line.was ?? null,
        secrecy: "organization" as const,
        confidence: own ? null : (line.confidence ?? 0),
        citations: own ? null : citationsOf(place, line),
        durationMs: own ? null : ANSWER_MS,
        decidedBy: own || autonomy === "draft" ? caller.userId : null,
      },
    ];
  });
  if (rows.length > 0) await tx.insert(outbox).values(rows);
}

async function seedDraft(
  tx: Tx,
  place: Place,
  conversationId: string,
  { lines }: DemoCustomer,
  draft: NonNullable<DemoCustomer["draft"]>,
): Promise<void> {
  const open = draft.text === "";
  const reason = open ? OPEN_QUESTION : (draft.reason ?? null);
  await tx.insert(outbox).values({
    orgId: place.caller.organizationId,
    integrationId: place.integrationId,
    conversationId,
    question: lines.findLast(({ by }) => by === "contact")!.text,
    text: draft.text,
    original: open ? lines.at(-1)!.text : null,
    secrecy: "organization",
    state: "draft",
    reason,
    confidence: open ? null : (draft.confidence ?? null),
    citations: { ...citationsOf(place, draft), basis: draft.basis },
    durationMs: open ? null : ANSWER_MS,
    createdAt: momentOf(place, lines.at(-1)!.ago),
  });
}

/** @throws Error when the inbox quotes words that the document does not contain */
function citationsOf(
  place: Place,
  {
    document,
    quote,
    confidence = 0,
    basis,
  }: Pick<Line, "document" | "quote" | "confidence"> & { basis?: string | undefined },
): Citations {
  const none = { sources: [], replyExamples: [], confidence };
  if (document === undefined) {
    if (basis === "corrected") return { ...none, basis, reason: "Вы ответили на этот вопрос в «Пробелах»." };
    return basis === "unknown"
      ? { ...none, basis: "unknown", reason: "В документах и прошлых ответах ничего подходящего не нашлось." }
      : { ...none, basis: "smalltalk", reason: "Обычная беседа: благодарность." };
  }
  const found = place.documents.find(({ name }) => name === document);
  const text = found?.content.split("\n").find((line) => line.includes(quote!));
  if (found === undefined || text === undefined) throw new Error(`The demo's inbox quotes «${quote}» of «${document}»`);
  return {
    ...none,
    sources: [{ documentId: found.id, name: document, text: text.replace(/^- /, "").trim() }],
    basis: "knowledge",
    reason: `Ответ найден в документе «${document}».`,
  };
}

/** Counts the dashboard's entries and figures, each on the day of its answer. */
async function countAll(tx: Tx, { caller, twin, integrationId }: Place, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  const orgId = caller.organizationId;
  const inOrder = counted.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  await tx.insert(activity).values(
    inOrder.map(({ conversationId, question, at }) => ({
      orgId,
      twinId: twin.id,
      twinName: twin.name,
      type: "response_generated",
      description: answerLine(question),
      conversationId,
      createdAt: at,
    })),
  );
  const days = Map.groupBy(inOrder, ({ at }) => usageDay(at));
  await tx.insert(dailyUsage).values(
    [...days].map(([day, answers]) => ({
      orgId,
      twinId: twin.id,
      day,
      messages: answers.length,
      measured: answers.length,
      confidenceSum: answers.reduce((sum, { confidence }) => sum + confidence, 0),
      durationSum: answers.length * ANSWER_MS,
    })),
  );
  await tx
    .update(integrations)
    .set({ messagesHandled: sql`${integrations.messagesHandled} + ${counted.length}` })
    .where(inArray(integrations.id, [integrationId]));
}
