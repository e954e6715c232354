/** Thirty private sentences from letters, as the twin makes drafts and answers of them: only the owner and their own contact read them. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { forgetLetters } from "#server/knowledge/forgetting/forget-letters.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { HIDDEN_WORDS } from "#server/platform/db/schema/secrecy.ts";
import { readZip } from "../files/read-zip.ts";
import { startTelegramServer, type TelegramServer } from "../servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { DERIVED_SENTENCES } from "./derived-sentences.ts";

let t: TestApp;
let telegram: TelegramServer;
let owner: TestClient;
let colleagues: Record<"viewer" | "user" | "org_admin", TestClient>;
let twinId: string;
/** The contact whom the letters were written to, as the platform knows her. */
let friend: { id: string; name: string };
let draftsId: string;
let sendsId: string;
let adminKey: string;

const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, owner.caller, work);
const SAID = DERIVED_SENTENCES.map(([, said]) => said);
const CHAT = "5001";
/** So many of them are also sent without approval. */
const SENT = 10;
/** So many words are searched for. */
const SOUGHT = 8;

const plain = (text: string) =>
  ` ${text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^а-яa-z]+/g, " ")
    .trim()} `;

/** The sentences of which three words in a row stand in the text. */
function leaksIn(text: string): string[] {
  const seen = plain(text);
  return SAID.filter((said) => {
    const words = plain(said).trim().split(" ");
    return words.slice(2).some((_, at) => seen.includes(` ${words.slice(at, at + 3).join(" ")} `));
  });
}

async function connect(autonomy: "draft" | "auto"): Promise<string> {
  const account = { digitalTwinId: twinId, platform: "telegram", apiKey: `${autonomy.length}:${randomUUID()}` };
  const made = await owner.post("/api/integrations/create", account);
  expect(made.statusCode, made.body).toBe(201);
  const { id } = made.json();
  await owner.put(`/api/integrations/${id}`, { autonomy });
  return id;
}

let position = 0;
/** A message of the contact, answered without waiting for the end of a burst. */
async function says(integrationId: string, conversationKey: string, peer: { id: string; name: string }, text: string) {
  const { organizationId, userId } = owner.caller;
  const event = { eventId: String(++position), conversation: conversationKey, position, peer, text };
  const sentAt = new Date().toISOString();
  const place = { id: integrationId, organizationId, userId };
  await storeInbound(t.services, place, { ...event, attachments: [], sentAt, automated: false });
  const job = { organizationId, userId, integrationId, conversationKey };
  await processInbox(t.services, job, new AbortController().signal, { begins: () => {}, delta: () => {} });
}

beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root, loopbackAddresses: true });
  owner = await t.signUp({ role: "user" });
  const { organizationId } = owner.caller;
  const join = (role: "viewer" | "user" | "org_admin") => t.signUp({ role, organizationId });
  colleagues = { viewer: await join("viewer"), user: await join("user"), org_admin: await join("org_admin") };
  const twin = await owner.post("/api/digital-twins", {
    ...{ name: "Двойник", description: "Отвечает знакомым", personality: "Спокойный и внимательный, шутит редко" },
    ...{ communicationStyle: "Коротко и по делу", knowledgeArea: "Ремонт мебели" },
  });
  twinId = twin.json().id;
  const stored = await owner.post("/api/conversations/upload", {
    ...{ platform: "telegram", participants: ["Ефросинья"], digitalTwinId: twinId },
    messages: DERIVED_SENTENCES.flatMap((pair, at) =>
      pair.map((content, side) => ({
        content,
        role: side === 0 ? "user" : "assistant",
        timestamp: new Date(Date.UTC(2026, 0, 1 + at, 12, side)).toISOString(),
      })),
    ),
  });
  expect(stored.statusCode, stored.body).toBe(201);
  await t.jobsIdle();
  const { rows } = await run((tx) => tx.execute(sql`select external_id as id, name from contacts`));
  friend = rows[0] as typeof friend;
  draftsId = await connect("draft");
  sendsId = await connect("auto");
  const hook = { url: "http://127.0.0.1:9/in", includeTexts: true, enabled: true };
  const events = ["reply.sent", "draft.created"];
  expect((await owner.post(`/api/digital-twins/${twinId}/webhooks`, { ...hook, events })).statusCode).toBe(201);
  const limits = { dailyMessages: 1000, dailyTokens: 1_000_000 };
  const key = { name: "Программа", scopes: ["drafts"], ...limits };
  adminKey = (await colleagues.org_admin.post(`/api/digital-twins/${twinId}/keys`, key)).json().token;
  for (const [at, [asked]] of DERIVED_SENTENCES.entries()) {
    await says(draftsId, CHAT, friend, asked);
    // Each in a chat of its own: the platform takes one message a second in each.
    if (at < SENT) await says(sendsId, `${CHAT}${at}`, friend, asked);
  }
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

const told = async (client: TestClient, path: string) => leaksIn((await client.get(path)).body);
const conversationsOf = async (integrationId: string): Promise<string[]> =>
  (await owner.get(`/api/conversations?integrationId=${integrationId}`)).json().map(({ id }: { id: string }) => id);

test("the twin drafts and sends them to their own contact, and the owner reads them", async () => {
  expect(leaksIn(telegram.sent.map(({ text }) => text).join("\n")).length).toBeGreaterThan(SENT / 3);
  expect((await told(owner, "/api/approvals")).length).toBeGreaterThan(SAID.length / 3);
  const read = [];
  for (const id of await conversationsOf(sendsId))
    read.push(...(await told(owner, `/api/conversations/${id}/messages`)));
  expect(read.length).toBeGreaterThan(SENT / 3);
});

describe("no colleague reads them, whatever the role:", () => {
  const roles = ["viewer", "user", "org_admin"] as const;

  test.each(roles)("as %s, in lists, conversations, searches and on the dashboard", async (role) => {
    const colleague = colleagues[role];
    const talks = [...(await conversationsOf(draftsId)), ...(await conversationsOf(sendsId))];
    const paths = [
      "/api/approvals",
      "/api/conversations",
      "/api/dashboard/waiting",
      "/api/activity/recent",
      "/api/analytics?days=30",
    ];
    for (const id of talks)
      paths.push(`/api/conversations/${id}`, `/api/conversations/${id}/messages`, `/api/conversations/${id}/answers`);
    const { rows } = await run((tx) => tx.execute(sql`select id from outbox where state = 'draft'`));
    for (const { id } of rows) paths.push(`/api/approvals/${id}/earlier`, `/api/past-replies/${id}`);
    for (const path of paths) expect(await told(colleague, path), path).toEqual([]);
    for (const said of SAID.slice(0, SOUGHT)) {
      const word = encodeURIComponent(said.split(" ").toSorted((a, b) => b.length - a.length)[0]!);
      for (const path of [
        `/api/search?q=${word}`,
        `/api/conversations?q=${word}`,
        `/api/conversations/search?q=${word}`,
      ]) {
        const found = await colleague.get(path);
        expect(leaksIn(found.body), path).toEqual([]);
      }
    }
  });

  test("a search for their words finds no conversation", async () => {
    const word = encodeURIComponent("безбожно");
    const ids = async (client: TestClient) => (await client.get(`/api/conversations?q=${word}`)).json();
    expect((await ids(owner)).length).toBeGreaterThan(0);
    expect(await ids(colleagues.org_admin)).toEqual([]);
  });

  test("an administrator sees that an answer waits for its owner, and cannot decide on it", async () => {
    const admin = colleagues.org_admin;
    const waiting = (await admin.get("/api/approvals")).json() as { id: string; text: string; hidden?: true }[];
    const hidden = waiting.filter((one) => one.hidden);
    expect(hidden.length).toBeGreaterThan(SAID.length / 3);
    expect(new Set(hidden.map(({ text }) => text))).toEqual(new Set([HIDDEN_WORDS]));
    const path = `/api/approvals/${hidden[0]!.id}`;
    for (const refused of [
      await admin.post(`${path}/approve`),
      await admin.put(path, { text: "Да" }),
      await admin.post(`${path}/reject`),
    ])
      expect([refused.statusCode, refused.json().code]).toEqual([403, "private_draft"]);
    expect((await owner.put(path, { text: "Перефразирую письмо" })).statusCode).toBe(200);
    // Reworded it is as secret as before.
    expect((await admin.get("/api/approvals")).body).not.toContain("Перефразирую");
  });

  test("a program with an administrator's key gets no words of them", async () => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const drafts = await t.anonymous.inject({ method: "GET", url: "/v1/drafts", headers });
    expect(drafts.statusCode, drafts.body).toBe(200);
    expect(drafts.json().data?.length ?? drafts.json().length).toBeGreaterThan(0);
    expect(leaksIn(drafts.body)).toEqual([]);
  });

  test("webhooks get them from no event, though texts were asked for", async () => {
    const { rows } = await run((tx) => tx.execute(sql`select payload from webhook_deliveries`));
    expect(rows.length).toBeGreaterThanOrEqual(SAID.length);
    expect(leaksIn(JSON.stringify(rows))).toEqual([]);
    expect(JSON.stringify(rows)).toContain("private");
  });

  test("the organisation's export holds none of them, the owner's own all that was sent", async () => {
    const taken = async (client: TestClient, at: string) => {
      expect((await client.post(at)).statusCode).toBe(202);
      await t.jobsIdle();
      const files = readZip((await client.get(`${at}/file`)).rawPayload);
      return [...(await files).values()].map(String).join("\n");
    };
    const { organizationId } = owner.caller;
    const all = await taken(colleagues.org_admin, `/api/organizations/${organizationId}/export`);
    expect(all).toContain(HIDDEN_WORDS);
    expect(leaksIn(all)).toEqual([]);
    expect(leaksIn(await taken(owner, "/api/account/export"))).toEqual(SAID);
  });
});

test("handed over to another member, the twin keeps no answer that was made of them", async () => {
  const { jobs } = t.services;
  await run((tx) => forgetLetters({ tx, jobs, tenant: owner.caller, twinId }, owner.caller.userId));
  const { rows } = await t.services.db.execute(sql`
    select text as words from outbox union all select content from conversation_messages where role = 'assistant'
    union all select coalesce(last_message, '') from conversations`);
  expect(rows.length).toBeGreaterThan(SAID.length / 3);
  expect(leaksIn(JSON.stringify(rows))).toEqual([]);
});
