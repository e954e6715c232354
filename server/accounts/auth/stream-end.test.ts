import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoint } from "#contract/endpoint.ts";
import { DEMO_TOKEN } from "#contract/organizations/auth.ts";
import { createApp } from "#server/app.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { memberships, users } from "#server/platform/db/schema/accounts.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { route } from "#server/platform/http/route.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { endAllSessions } from "./sessions.ts";

const CHECK_MS = 100;
/** Milliseconds: within the one a busy machine ends any answer, the other cuts a connection soon. */
const GRACE_MS = { long: 60_000, short: 300 };
/** Milliseconds: one check, the short grace period and time for a busy machine. */
const SOON_MS = 30_000;

let t: TestApp;
let app: FastifyInstance;
/** Cuts a stream that does not end within the short grace period. */
let hasty: FastifyInstance;
let model: OpenAiServer;
let url: string;
let hastyUrl: string;
const connections = new Set<Socket>();
beforeAll(async () => {
  model = await startOpenAiServer({ text: "Подскажите, какой именно товар вас интересует. Напишите и адрес." });
  t = await testApp({ demo: true, llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 60 } });
  app = await createApp(t.services, { streams: { checkMs: CHECK_MS, graceMs: GRACE_MS.long } });
  hasty = await createApp(t.services, { streams: { checkMs: CHECK_MS, graceMs: GRACE_MS.short } });
  const stream = (of: FastifyInstance, path: `/api/${string}`, bytes: () => Readable) =>
    route(of, endpoint(`GET ${path}`, { access: "signed-in", summary: "Проба" }), () => bytes() as never);
  // None of the handlers knows anything of sessions.
  stream(app, "/api/probe/ticks", () => Readable.from(ticks()));
  stream(hasty, "/api/probe/silent", silence);
  stream(hasty, "/api/probe/flood", () => Readable.from(flood()));
  hasty.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  hastyUrl = await hasty.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await hasty.close();
  await t.close();
  await model.close();
});

async function* ticks(): AsyncGenerator<string> {
  for (let at = 0; at < 12; at++) {
    yield `${at} `;
    await wait(CHECK_MS / 2);
  }
}

/** Returns a stream of one word that then stays silent. */
function silence(): Readable {
  const stream = new Readable({ read() {} });
  stream.push("да");
  return stream;
}

function* flood(): Generator<string> {
  for (;;) yield "x".repeat(64 * 1024);
}

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

/** Asks a twin and reads the first words of a reply that never ends. */
async function openChat(client: TestClient) {
  const twinId = await buildTwin(client);
  const message = "Сколько стоит доставка по Москве?";
  // The server reads a model's first answers completely, until it knows that they are no records and how their reasoning is marked.
  for (let at = 0; at < 2; at++) await client.post("/api/ai-generate", { twinId, message });
  model.script({ kind: "stall", after: 8 });
  const answer = await fetch(`${url}/api/ai-generate`, {
    method: "POST",
    headers: { ...bearer(client), "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ twinId, message }),
  });
  const pieces = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await pieces.read()).value!;
  expect(first).toContain("event: delta");
  const rest = async () => {
    let text = "";
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return text;
      text += value;
    }
  };
  return { rest, conversationId: answer.headers.get("x-conversation-id")! };
}

/** @throws when `work` takes longer than an ended session may stream */
const soon = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, wait(SOON_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("still open")))]);

describe("an answer that is being streamed ends", () => {
  const endings: [string, (ann: TestClient) => Promise<unknown>][] = [
    ["with the logout", (ann) => ann.post("/api/auth/logout")],
    ["when every session of the user is ended", (ann) => endAllSessions(t.services.db, ann.caller.userId)],
    [
      "when the user is removed from the organisation",
      ({ caller }) => t.services.db.delete(memberships).where(eq(memberships.userId, caller.userId)),
    ],
    [
      "when the role changes",
      ({ caller }) =>
        t.services.db.update(memberships).set({ role: "viewer" }).where(eq(memberships.userId, caller.userId)),
    ],
    [
      "when rights over the platform are withdrawn",
      ({ caller }) => t.services.db.update(users).set({ superAdmin: false }).where(eq(users.id, caller.userId)),
    ],
  ];
  test.each(endings)("%s, with a last message that says why", async (_, act) => {
    const ann = await t.signUp({ superAdmin: true });
    const dropped = model.dropped;
    const { rest } = await openChat(ann);
    await wait(3 * CHECK_MS);
    await act(ann);
    const last = (await soon(rest())).split("\n\n").filter(Boolean).at(-1)!;
    expect(last).toMatch(/^event: error\n/);
    expect(last).toContain('"code":"unauthorized"');
    // The request to the model is aborted too, so that an answer without a reader costs nothing.
    await expect.poll(() => model.dropped).toBe(dropped + 1);
  });

  test("and what was sent of it stays in the conversation", async () => {
    const ann = await t.signUp();
    const { rest, conversationId } = await openChat(ann);
    await ann.post("/api/auth/logout");
    await soon(rest());
    const stored = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select().from(conversationMessages).where(eq(conversationMessages.conversationId, conversationId)),
    );
    expect(stored).toMatchObject([{ role: "user" }, { role: "assistant", citations: { stopped: true } }]);
  });
});

describe("a stream", () => {
  test("continues while its session exists", async () => {
    const ann = await t.signUp();
    const answer = await fetch(`${url}/api/probe/ticks`, { headers: bearer(ann) });
    expect(await answer.text()).toBe("0 1 2 3 4 5 6 7 8 9 10 11 ");
  });

  test("continues for the demo user, who has no session", async () => {
    const answer = await fetch(`${url}/api/probe/ticks`, { headers: bearer({ token: DEMO_TOKEN }) });
    expect(await answer.text()).toMatch(/ 11 $/);
  });

  test("is cut when its session ends and it does not end by itself", async () => {
    const ann = await t.signUp();
    const answer = await fetch(`${hastyUrl}/api/probe/silent`, { headers: bearer(ann) });
    const read = answer.text();
    read.catch(() => {});
    await ann.post("/api/auth/logout");
    await expect(soon(read)).rejects.toThrow(/terminated/);
  });

  test("is cut when its session ends and its client does not read it", async () => {
    const ann = await t.signUp();
    const { port } = hasty.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET /api/probe/flood HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ann.token}\r\n\r\n`);
    await once(socket, "readable");
    const { localPort } = socket;
    const open = () => [...connections].some(({ remotePort }) => remotePort === localPort);
    await wait(2 * CHECK_MS);
    expect(open()).toBe(true);
    await ann.post("/api/auth/logout");
    await expect.poll(open, { timeout: SOON_MS }).toBe(false);
    socket.destroy();
  });
});
