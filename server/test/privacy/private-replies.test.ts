/** Verifies that what an owner wrote to one person reaches no other person: in no response, no prompt and by no question. */
import { randomBytes, randomUUID } from "node:crypto";
import { ne, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { embeddedReply } from "#server/answers/replies/wording/embedded-reply.ts";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { ENDPOINT_CASES } from "../endpoints/endpoint-cases.ts";
import type { Things } from "../endpoints/things.ts";
import { promptWithoutMessage } from "../models/read-prompt.ts";
import {
  colleague,
  ids,
  log,
  logged,
  model,
  owner,
  ownerOf,
  PEOPLE,
  prepared,
  preparePrivateReplies,
  QUESTIONS,
  run,
  t,
  twinId,
} from "./private-replies-bench.ts";
import { PRIVATE_SENTENCES } from "./private-sentences.ts";

preparePrivateReplies();

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^а-яa-z]+/g, " ")
    .trim();

/** Any three words in a row, or all of fewer. */
function partsOf(text: string): string[] {
  const words = plain(text).split(" ");
  return words.length <= 3 ? [words.join(" ")] : words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
}

const SAID = PRIVATE_SENTENCES.map(([, said], at) => ({ whose: ownerOf(at), parts: partsOf(said) }));
const ASKED = PRIVATE_SENTENCES.map(([asked], at) => ({ whose: ownerOf(at), text: ` ${plain(asked)} ` }));

/** What of others' letters stands in a text. @param message what was asked: it may be quoted back */
function leaksIn(text: string, { to = "", message = "" } = {}): string[] {
  const seen = ` ${plain(text)} `;
  const quoted = ` ${plain(message)} `;
  const said = SAID.filter(({ whose }) => whose !== to).flatMap(({ parts }) =>
    parts.filter((part) => seen.includes(` ${part} `)),
  );
  const asked = ASKED.filter(({ whose, text: one }) => whose !== to && seen.includes(one) && !quoted.includes(one));
  return [...said, ...asked.map(({ text: one }) => one)];
}
/** A few of them, and one that quotes no letter. */
const SOME = ["Привет, что нового?", ...QUESTIONS.filter((_, at) => at % 9 === 0)];

const AUDIENCES = (): { audience: Audience; to: string }[] => [
  { audience: { kind: "stranger" }, to: "" },
  { audience: { kind: "member" }, to: "" },
  ...PEOPLE.map((name) => ({ audience: { kind: "contact", contactId: ids.get(name)! } as const, to: name })),
];

test("sixty-four private sentences are used only in answers to their own contacts and to the owner", async () => {
  let [own, atHand] = [0, 0];
  for (const { audience, to } of AUDIENCES()) {
    for (const [at, message] of QUESTIONS.entries()) {
      const request = await prepared(audience, message, "embedded");
      const said = embeddedReply(request);
      expect(leaksIn(said, { to, message }), `${to}: ${message}`).toEqual([]);
      expect(leaksIn(JSON.stringify({ ...request, message: "" }), { to, message }), `${to}: ${message}`).toEqual([]);
      if (ownerOf(at) !== to) continue;
      const sentence = PRIVATE_SENTENCES[at]![1];
      if (request.replyExamples.some(({ reply }) => reply === sentence)) atHand++;
      if (plain(said).includes(plain(sentence))) own++;
    }
  }
  // Else this shows nothing: each is at hand for its own contact, and many are said, if not to what is too short to tell (113).
  expect(atHand).toBe(PRIVATE_SENTENCES.length);
  expect(own).toBeGreaterThan(PRIVATE_SENTENCES.length / 3);
  let owners = 0;
  for (const message of QUESTIONS) {
    const { replyExamples: found } = await prepared({ kind: "owner" }, message, "embedded");
    if (found.some(({ incoming }) => incoming === message)) owners++;
  }
  expect(owners).toBe(QUESTIONS.length);
});

test("a model's prompt for one contact contains no other contact's words, and for a stranger nobody's", async () => {
  for (const { audience, to } of AUDIENCES()) {
    for (const message of SOME) {
      const prompt = promptWithoutMessage(await prepared(audience, message, "llm"));
      expect(leaksIn(prompt, { to }), `${to}: ${message}`).toEqual([]);
      if (to !== "") expect(leaksIn(prompt).length).toBeGreaterThan(0);
    }
  }
});

describe("each way out asks for the right audience", () => {
  /** The newest prompt without the message itself. */
  const newestPrompt = (message: string) => {
    const all = model.requests.at(-1)!.body.messages!.map(({ content }) => content);
    return all.join("\n").slice(0, -message.length);
  };
  /** @param ask the body of the answer */
  async function holds(ask: (message: string) => Promise<string>) {
    const first = model.requests.length;
    for (const message of SOME) {
      const before = model.requests.length;
      const body = await ask(message);
      expect(leaksIn(body, { message })).toEqual([]);
      // A topic that is left to the owner asks no model.
      if (model.requests.length > before) expect(leaksIn(newestPrompt(message))).toEqual([]);
    }
    expect(model.requests.length - first).toBeGreaterThan(SOME.length / 2);
  }
  const keyOf = async (scopes: string[]): Promise<string> => {
    const limits = { dailyMessages: 1000, dailyTokens: 1_000_000 };
    const made = await owner.post(`/api/digital-twins/${twinId}/keys`, { name: "Сайт", scopes, ...limits });
    expect(made.statusCode, made.body).toBe(201);
    return made.json().token;
  };

  test("the test chat of a colleague, who administers the organisation", () =>
    holds(async (message) => {
      const answer = await colleague.post("/api/ai-generate", { twinId, message });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.body;
    }));

  test("a program's key, whatever contact it says it asks for", async () => {
    const authorization = `Bearer ${await keyOf(["ask"])}`;
    for (const user of [undefined, PEOPLE[0]]) {
      await holds(async (content) => {
        const payload = { model: twinId, messages: [{ role: "user", content }], ...(user && { user }) };
        const url = "/v1/chat/completions";
        const answer = await t.anonymous.inject({ method: "POST", url, headers: { authorization }, payload });
        expect(answer.statusCode, answer.body).toBe(200);
        return answer.body;
      });
    }
  });

  test("a tool of the Model Context Protocol", async () => {
    const headers = {
      authorization: `Bearer ${await keyOf(["ask", "mcp"])}`,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    };
    await holds(async (message) => {
      const params = { name: "ask_twin", arguments: { message } };
      const payload = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const answer = await t.anonymous.inject({ method: "POST", url: "/mcp", headers, payload });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.body).toContain("result");
      return answer.body;
    });
  });

  test("the chat on a site", async () => {
    const settings = {
      title: "Чат",
      greeting: "Здравствуйте!",
      color: "#0f5f63",
      autonomy: "auto",
      dailyMessages: 1000,
    };
    const site = { enabled: true, allowedSites: ["https://shop.example.test"], ...settings };
    const { id } = (await owner.put(`/api/digital-twins/${twinId}/widget`, site)).json();
    await holds(async (text) => {
      const headers = { "x-visitor": randomBytes(32).toString("base64url"), "sec-fetch-site": "same-origin" };
      const payload = { id: randomUUID(), text };
      const answer = await t.anonymous.inject({ method: "POST", url: `/widget/${id}/messages`, headers, payload });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.body;
    });
  });

  test("a connected platform, where a stranger writes under a contact's name", async () => {
    const made = await owner.post("/api/integrations/create", {
      digitalTwinId: twinId,
      platform: "telegram",
      apiKey: `123456:${randomUUID()}`,
    });
    const integrationId: string = made.json().id;
    const { organizationId, userId } = owner.caller;
    let position = 0;
    await holds(async (text) => {
      position++;
      const conversationKey = String(position);
      const peer = { id: `user${position}`, name: PEOPLE[1]! };
      const event = { eventId: conversationKey, conversation: conversationKey, position, peer, text };
      const sentAt = new Date().toISOString();
      await storeInbound(
        t.services,
        { id: integrationId, organizationId, userId },
        { ...event, attachments: [], sentAt, automated: false },
      );
      const job = { organizationId, userId, integrationId, conversationKey };
      await processInbox(t.services, job, new AbortController().signal, { begins: () => {}, delta: () => {} });
      const { rows } = await run((tx) =>
        tx.execute(sql`select text, citations from outbox order by created_at desc limit 1`),
      );
      return JSON.stringify(rows);
    });
  });

  test("everything that a colleague may read of the twin, including its search", async () => {
    let read = 0;
    for (const [key, { url, endless }] of Object.entries(ENDPOINT_CASES)) {
      if (!key.startsWith("GET ") || endless) continue;
      const path = url({ twinId } as Things);
      if (path.includes("undefined")) continue;
      const { statusCode, body } = await colleague.get(encodeURI(path));
      // The conversations of above quote what strangers have asked.
      expect(leaksIn(body, { message: QUESTIONS.join(" ") }), key).toEqual([]);
      if (statusCode === 200) read++;
    }
    expect(read).toBeGreaterThan(10);
    for (const message of SOME) {
      const { body } = await colleague.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(message)}`);
      expect(leaksIn(body, { message })).toEqual([]);
    }
  });

  test("the log of the server", () => {
    log.warn("the end");
    expect(logged).toContain("the end");
    expect(leaksIn(logged)).toEqual([]);
  });
});

// It takes away the letters of all others, so nothing comes after it.
test("a contact who quotes another contact's question gets the same answer as if it had never been asked", async () => {
  const contactId = ids.get(PEOPLE[0]!)!;
  const asking: Audience[] = [{ kind: "stranger" }, { kind: "member" }, { kind: "contact", contactId }];
  const answers = async () => {
    const all = [];
    for (const audience of asking) {
      for (const message of QUESTIONS) {
        const request = await prepared(audience, message, "embedded");
        const { plan, confidence, chunks } = request;
        all.push({ audience, message, said: embeddedReply(request), plan, confidence, chunks });
      }
    }
    return all;
  };
  const before = await answers();
  await run(async (tx) => {
    await tx.delete(replyExamples).where(ne(replyExamples.contactId, contactId));
    await tx.execute(sql`update twins set knowledge_revision = knowledge_revision + 1 where id = ${twinId}`);
  });
  await buildTwinIndex(t.services.db, owner.caller, twinId);
  expect(await answers()).toEqual(before);
});
