/**
 * No call that a colleague may make answers with what the owner wrote to a contact, whatever the colleague's role: every endpoint of the
 * contract is called, not a list by hand, so a new one is covered by the case it needs (endpoint-table.test.ts).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KnowledgeSource, SourceContents } from "#contract/knowledge/knowledge-base.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { HIDDEN_WORDS } from "#server/platform/db/schema/secrecy.ts";
import type { EndpointCase } from "../endpoints/endpoint-case.ts";
import { ENDPOINT_CASES } from "../endpoints/endpoint-cases.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { send } from "../endpoints/send-case.ts";
import type { Things } from "../endpoints/things.ts";
import { readZip } from "../files/read-zip.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { fillTheRest } from "./deletion/one-of-everything.ts";
import { type PlantedSecret, plantSecrets } from "./plant-secrets.ts";

/** No word of a letter stands anywhere else. */
const SAID = "синхрофазотрон спрятан в шкатулке под крыльцом";
const ASKED = "Куда подевался перпендикуляр?";
const SAID_WORDS = /синхрофазотрон|шкатулк/i;
const CANARIES = /синхрофазотрон|шкатулк|перпендикуляр/i;

let t: TestApp;
let owner: TestClient;
let colleagues: TestClient[];
let things: Things;
/** In each column that is private, a word of its own. */
let secrets: PlantedSecret[];

const signUp = (role: "org_admin" | "viewer" | "user") =>
  t.signUp({ role, organizationId: owner.caller.organizationId });

beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp({ role: "user" });
  colleagues = [await signUp("viewer"), await signUp("user"), await signUp("org_admin")];
  things = await makeThings(t, owner);
  const { twinId } = things;
  const stored = await owner.post("/api/conversations/upload", {
    platform: "telegram",
    participants: ["Пантелеймон"],
    digitalTwinId: twinId,
    messages: [
      { content: ASKED, role: "user", timestamp: "2026-01-01T12:00:00Z" },
      { content: SAID, role: "assistant", timestamp: "2026-01-01T12:01:00Z" },
    ],
  });
  expect(stored.statusCode, stored.body).toBe(201);
  await t.jobsIdle();
  const { sourceId } = stored.json();
  const contents = (await owner.get(`/api/knowledge-base/sources/${sourceId}/contents`)).json<SourceContents>();
  expect((await owner.get("/api/knowledge-base/sources")).json<KnowledgeSource[]>().length).toBeGreaterThan(1);
  // The owner tries it out himself: his own chat with the twin holds the letter.
  const tried = await owner.post("/api/ai-generate", { twinId, message: ASKED });
  expect(tried.body).toMatch(CANARIES);
  const { conversationId, messageId } = tried.json();
  const [chat, person] = [contents.chats[0]!.id, contents.people[0]!.id];
  things = { ...things, sourceId, chatId: chat, personId: person, conversationId, messageId };
  await fillTheRest(t, owner, things);
  const { organizationId: orgId } = owner.caller;
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.insert(conversationMessages).values({
      ...{ orgId, conversationId: things.talkId, role: "assistant", content: "Под крыльцом", secrecy: "contact" },
    }),
  );
  await t.jobsIdle();
  secrets = await plantSecrets(t.services.db, owner.caller.organizationId);
});
afterAll(() => t.close());

/** Reading first, then what may be done again, and last what uses things up. */
const KEYS = Object.keys(ENDPOINT_CASES).toSorted((one, other) => stageOf(one) - stageOf(other));
function stageOf(key: string): number {
  if (key.startsWith("GET ")) return 0;
  const { consumes } = ENDPOINT_CASES[key]!;
  return consumes === undefined ? 1 : consumes === "everything" ? 3 : 2;
}

/** The same call, searching and asking for what the letter's contact had asked. */
function prying(key: string): EndpointCase {
  const { url, body, ...rest } = ENDPOINT_CASES[key]!;
  const asked = (value: Record<string, unknown>) => ("message" in value ? { ...value, message: ASKED } : value);
  return {
    ...rest,
    url: (of) => url(of).replace(/([?&](?:q|search)=)[^&]+/, "$1перпендикуляр"),
    ...(body && { body: (of) => asked(body(of)) }),
  };
}

/** Words that are planted, with the column that they stand in, where the text holds them. */
const secretsIn = (text: string): string[] =>
  secrets.filter(({ word }) => text.includes(word)).map(({ place }) => place);

/** @returns how many calls were answered, which of them tell a letter, and which private columns they tell */
async function answersTo(client: TestClient, keys: readonly string[], letter: RegExp) {
  const telling: string[] = [];
  const told = new Map<string, Set<string>>();
  let answered = 0;
  for (const key of keys) {
    const endpointCase = prying(key);
    // Signing out and the like end a session of their own.
    const own = endpointCase.consumes && !/\/:\w*id\b/i.test(key);
    const { role, organizationId } = client.caller;
    const caller = own ? await t.signUp({ role, organizationId }) : client;
    const answer = await send(caller, endpointCase, key, things);
    if (answer.statusCode < 300) answered++;
    if (letter.test(answer.body) || letter.test(JSON.stringify(answer.headers))) telling.push(key);
    for (const place of secretsIn(answer.body)) told.set(place, (told.get(place) ?? new Set()).add(key));
  }
  return { telling, answered, told };
}

/** All that a stream of live events tells from now on. */
async function listening(client: TestClient): Promise<{ heard(): string; close(): void }> {
  const { stream: open } = await client.inject({ method: "GET", url: "/api/events", payloadAsStream: true });
  const stream = open();
  let heard = "";
  stream.on("data", (chunk: Buffer) => {
    heard += chunk.toString();
  });
  return { heard: () => heard, close: () => stream.destroy() };
}

test("the organisation's export holds no private column of a member, and none of his letters", async () => {
  const admin = colleagues.at(-1)!;
  const at = `/api/organizations/${admin.caller.organizationId}/export`;
  await admin.delete(at);
  expect((await admin.post(at)).statusCode).toBe(202);
  await t.jobsIdle();
  const files = await readZip((await admin.get(`${at}/file`)).rawPayload);
  const all = [...files].map(([name, content]) => `${name}\n${content}`).join("\n");
  expect(all).toContain(HIDDEN_WORDS);
  expect(secretsIn(all)).toEqual([]);
  expect(all).not.toMatch(SAID_WORDS);
});

/** Private columns that calls show to their owner: what colleagues must not read is there to be read. */
const SHOWN_TO_OWNER = [
  "conversation_messages.content",
  "corrections.question",
  "corrections.text",
  "corrections.twin_reply",
  "fact_proposals.question",
  "fact_proposals.reply",
  "gap_questions.question",
  "messages.text",
  "outbox.text",
];

test("no call shows the owner's private messages, nor any copy of them, to a colleague of any role", async () => {
  const table = t.app.endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(KEYS.toSorted()).toEqual(table.toSorted());
  const reading = KEYS.filter((key) => stageOf(key) === 0);
  const changing = KEYS.filter((key) => stageOf(key) > 0);
  // The letters exist to be quoted.
  const ofOwner = await answersTo(owner, reading, CANARIES);
  expect(ofOwner.telling.length).toBeGreaterThan(3);
  expect([...ofOwner.told.keys()].toSorted()).toEqual(expect.arrayContaining(SHOWN_TO_OWNER));
  const streams = await Promise.all(colleagues.map(listening));
  let answered = 0;
  // What a colleague asks may be said back, and is kept: all read before any asks.
  for (const [keys, letter] of [
    [reading, CANARIES],
    [changing, SAID_WORDS],
  ] as const)
    for (const colleague of colleagues) {
      const told = await answersTo(colleague, keys, letter);
      expect(told.telling, colleague.caller.role).toEqual([]);
      expect(
        [...told.told].map(([place, keys]) => [place, ...keys]),
        colleague.caller.role,
      ).toEqual([]);
      answered += told.answered;
    }
  expect(answered).toBeGreaterThan(80);
  for (const { heard, close } of streams) {
    close();
    expect(heard()).toContain(things.talkId);
    expect(heard()).not.toMatch(SAID_WORDS);
  }
});
