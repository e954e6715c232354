/** A bot's conversations as their owner sees them. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ChatMessage, Conversation } from "#contract/conversations/conversations.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let telegram: TelegramServer;
export let t: TestApp;
/** What the generator was asked, newest last. */
export const asked: ReplyRequest[] = [];

export const WAIT = { timeout: 20_000, interval: 50 };
let bots = 700;
let events = 0;

export interface Place {
  ann: TestClient;
  twinId: string;
  integrationId: string;
}

export async function connect(autonomy: "draft" | "auto" = "draft"): Promise<Place> {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: `${++bots}:token-of-a-bot-0123456789abcdefghij` };
  const integrationId: string = (await ann.post("/api/integrations/create", bot)).json().id;
  await ann.put(`/api/integrations/${integrationId}`, { autonomy });
  return { ann, twinId, integrationId };
}

/** Something is heard from the platform; gives its conversation once it was taken in. */
export async function hear(place: Place, chat: string, text: string, more: Partial<Inbound> = {}): Promise<string> {
  const { ann, integrationId: id } = place;
  const inbound: Inbound = {
    eventId: String(++events),
    conversation: chat,
    position: events,
    peer: { id: `user${chat}`, name: `Иван ${chat}`, handle: `@ivan${chat}` },
    text,
    attachments: [],
    sentAt: new Date().toISOString(),
    automated: false,
    ...more,
  };
  const { organizationId, userId } = ann.caller;
  await storeInbound(t.services, { id, organizationId, userId }, inbound);
  await expect.poll(async () => (await eventOf(inbound.eventId))?.status, WAIT).not.toBe("pending");
  const [talk] = await t.services.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.externalId, chat));
  return talk!.id;
}
const eventOf = async (eventId: string) =>
  (await t.services.db.select().from(inboxEvents).where(eq(inboxEvents.eventId, eventId)))[0];

export const get = async <Answer>(client: TestClient, path: string): Promise<Answer> => (await client.get(path)).json();
export const answers = ({ ann }: Place, id: string) => get<Approval[]>(ann, `/api/conversations/${id}/answers`);
export const talkOf = ({ ann }: Place, id: string) => get<Conversation>(ann, `/api/conversations/${id}`);
export const linesOf = async ({ ann }: Place, id: string) =>
  (await get<ChatMessage[]>(ann, `/api/conversations/${id}/messages`)).map(({ role, author, content }) =>
    role === "user" ? content : `${author ?? "twin"}: ${content}`,
  );
export const sentTo = (chat: string) => telegram.sent.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
let people = 90_000;
export const someone = () => String(++people);

/** Rows of all tables, the queue's included, that hold the words; an index's bytes are read as text. */
export async function found(words: RegExp): Promise<string[]> {
  const { rows: tables } = await t.services.db.execute(sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'jobs') and (c.relkind = 'r' or n.nspname = 'public' and c.relkind = 'p')`);
  const places: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await t.services.db.execute(sql`select * from ${sql.raw(name)}`);
    for (const row of rows) {
      const text = Object.values(row)
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : JSON.stringify(value)))
        .join(" ");
      if (words.test(text)) places.push(`${name.replace("public.", "")}: ${text.slice(0, 200)}`);
    }
  }
  return places;
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareOwnerInbox(): void {
  beforeAll(async () => {
    telegram = await startTelegramServer();
    t = await testApp({ telegramApiRoot: telegram.root });
    const { generate } = t.services.generator;
    t.services.generator = {
      name: "embedded",
      generate(request, signal) {
        asked.push(request);
        return generate(request, signal);
      },
    };
  });
  afterAll(async () => {
    await t.close();
    await telegram.close();
  });
}
