/** Merged contacts count as one person wherever the number of people decides what other contacts may learn. */
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatFacts } from "#contract/knowledge/chat-facts.ts";
import type { OpenReplies, OpenReply } from "#contract/knowledge/open-replies.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { prepareReply } from "#server/answers/replies/planning/prepare-reply.ts";
import { type TrainingStep, trainTwin } from "#server/answers/training/train-twin.ts";
import { findFacts } from "#server/knowledge/facts/find-facts.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { findRecurring } from "#server/knowledge/public-replies/find-recurring.ts";
import { keepFound } from "#server/knowledge/public-replies/keep-recurring.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { corrections, factProposals, openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { promptWithoutMessage } from "#server/test/models/read-prompt.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;
const STRANGER = { kind: "stranger" } as const;
const ASKED = "Что с Верой, как она себя чувствует?";
const SECRET = "Вера лежит в больнице на Садовой, операция прошла плохо";
const WORD = "океюшки";
const NAMES = ["Олег", "Oleg Work", "Олежка (VK)"];

interface Owner {
  client: TestClient;
  twinId: string;
  talk(name: string, ...lines: string[]): Promise<void>;
  train(onStep?: (step: TrainingStep) => Promise<void>): Promise<void>;
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  merge(one: string, ...others: string[]): Promise<void>;
  part(one: string, other: string): Promise<void>;
  openReplies(): Promise<OpenReplies>;
  found(): Promise<string[]>;
  /** The data that a model would get for a stranger, and could therefore reveal. */
  prompt(): Promise<string>;
}

async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, client.caller, work);
  const place = { orgId: client.caller.organizationId, twinId };
  const conversationWith = (name: string) =>
    run(async (tx) => {
      const [contact] = await tx
        .select()
        .from(contacts)
        .where(and(eq(contacts.twinId, twinId), eq(contacts.name, name)));
      const known = eq(conversations.contactId, contact!.id);
      const [there] = await tx.select().from(conversations).where(known);
      return (there ?? (await buildConversation(tx, place, { contactId: contact!.id }))).id;
    });
  const channels = async (name: string) => `/api/conversations/${await conversationWith(name)}/contact/channels`;
  return {
    client,
    twinId,
    run,
    async talk(name, ...lines) {
      const said = { platform: "telegram", participants: [name], digitalTwinId: twinId };
      const messages = lines.map((content, at) => ({
        content,
        role: at % 2 === 0 ? "user" : "assistant",
        timestamp: new Date(Date.UTC(2026, 0, 1, name.length, at)).toISOString(),
      }));
      const answer = await client.post("/api/conversations/upload", { ...said, messages });
      expect(answer.statusCode, answer.body).toBe(201);
    },
    train: (onStep) => trainTwin({ ...t.services, ...(onStep && { onStep }) }, { ...client.caller, twinId }, calm),
    async merge(one, ...others) {
      for (const other of others) {
        const answer = await client.post(await channels(one), { conversationId: await conversationWith(other) });
        expect(answer.statusCode, answer.body).toBe(200);
      }
    },
    async part(one, other) {
      const answer = await client.delete(`${await channels(one)}/${await conversationWith(other)}`);
      expect(answer.statusCode, answer.body).toBe(200);
    },
    openReplies: async () => (await client.get(`/api/digital-twins/${twinId}/open-replies`)).json(),
    async found() {
      const about = { twinId, audience: STRANGER, query: ASKED, kinds: ["example", "open"] as const, limit: 5 };
      return (await run((tx) => searchTwin(tx, about))).map(({ reply }) => reply);
    },
    prompt: () =>
      run(async (tx) => {
        const opened = await openTwin(tx, client.caller, twinId);
        const asked = { ...opened, message: "Привет!", history: [], audience: STRANGER, queryEmbedding: null };
        return promptWithoutMessage(await prepareReply({ ...asked, seed: "1", generator: "llm" }));
      }),
  };
}

/** Writes the secret in the owner's manner to contacts with each of the names. */
async function tell(ann: Owner, names: readonly string[]): Promise<void> {
  for (const name of names) await ann.talk(name, "Спасибо!", WORD, ASKED, SECRET, "Пока!", WORD);
}

describe("one secret told to one person under three names", () => {
  test("closes when they are merged, before any job, and stays closed after a training and after they are parted", async () => {
    const ann = await owner();
    await tell(ann, NAMES);
    await ann.train();
    expect(await ann.found()).toEqual([SECRET]);
    expect(await ann.prompt()).toContain(WORD);

    await ann.merge(NAMES[0]!, NAMES[1]!);
    const closed = async () => {
      expect(await ann.found()).toEqual([]);
      expect(await ann.prompt()).not.toContain(WORD);
      expect((await ann.openReplies()).counts).toMatchObject({ opened: 0, recurring: 0, closed: 0 });
    };
    await closed();
    // Two people remain, so the owner may be asked, as for any two.
    await ann.train();
    await closed();
    expect((await ann.openReplies()).proposals).toMatchObject([{ reason: "said", people: 2 }]);

    await ann.merge(NAMES[2]!, NAMES[0]!);
    await ann.train();
    await closed();
    expect((await ann.openReplies()).proposals).toEqual([]);

    for (const name of NAMES.slice(1)) await ann.part(NAMES[0]!, name);
    await closed();
    await ann.talk("Посторонний", "А какая сегодня погода за окном?", "Ветрено и солнечно, бери шарф");
    await ann.train();
    await closed();
  });

  test("is not opened by three others who are merged into two, though each pair shares a name with somebody else", async () => {
    const ann = await owner();
    await tell(ann, NAMES);
    // Adds the same person once more, with the name of one of the contacts.
    await ann.run((tx) =>
      tx.insert(contacts).values({
        orgId: ann.client.caller.organizationId,
        twinId: ann.twinId,
        platform: "vk",
        externalId: "1",
        name: "олег",
      }),
    );
    const [again] = await ann.run((tx) => tx.select().from(contacts).where(eq(contacts.platform, "vk")));
    await ann.run((tx) => buildConversation(tx, again!, { contactId: again!.id }));
    await ann.merge(NAMES[1]!, "олег");
    await ann.train();
    expect(await ann.found()).toEqual([]);
  });

  test("is not opened by a training that counted them before they were merged", async () => {
    const ann = await owner();
    await tell(ann, NAMES);
    const data = { ...ann.client.caller, twinId: ann.twinId };
    const counted = await findRecurring(t.services.db, data, ann.twinId, calm);
    expect(counted.recurring.length).toBeGreaterThan(0);
    await ann.merge(NAMES[0]!, NAMES[1]!);
    await keepFound(t.services.db, data, counted);
    expect(await ann.found()).toEqual([]);
  });

  test("leaves no word of it in the manner that a training had measured before they were merged", async () => {
    const ann = await owner();
    await tell(ann, NAMES);
    let merged = false;
    await ann.train(async ({ stage }) => {
      if (stage !== "Изучаем стиль" || merged) return;
      merged = true;
      await ann.merge(NAMES[0]!, NAMES[1]!);
    });
    expect(merged).toBe(true);
    expect(await ann.found()).toEqual([]);
    expect(await ann.prompt()).not.toContain(WORD);
    // The merge has requested a training that recounts.
    const [twin] = await ann.run((tx) => tx.select().from(twins).where(eq(twins.id, ann.twinId)));
    expect(twin!.knowledgeRevision).toBeGreaterThan(twin!.trainedRevision);
  });
});

describe("what others were told as well", () => {
  test("stays open with the number of people who are left, and so do the words of the owner's manner", async () => {
    const ann = await owner();
    await tell(ann, [...NAMES, "Мария Ивановна", "Светлана Петровна"]);
    await ann.train();
    const [told] = (await ann.openReplies()).replies as [OpenReply];
    expect(told.people).toBe(5);
    await ann.merge(NAMES[0]!, ...NAMES.slice(1));
    expect(await ann.openReplies()).toMatchObject({ counts: { recurring: 1 }, replies: [{ id: told.id, people: 3 }] });
    expect(await ann.found()).toEqual([SECRET]);
    expect(await ann.prompt()).toContain(WORD);
  });

  test("loses what the owner had closed himself, so that its old number cannot open it again", async () => {
    const ann = await owner();
    await tell(ann, NAMES);
    await ann.train();
    const [told] = (await ann.openReplies()).replies as [OpenReply];
    const path = `/api/digital-twins/${ann.twinId}/open-replies/${told.id}`;
    await ann.client.put(path, { open: false });
    await ann.merge(NAMES[0]!, NAMES[1]!);
    expect((await ann.client.put(path, { open: true })).statusCode).toBe(404);
    expect(await ann.found()).toEqual([]);
  });
});

test("a fact counts merged contacts once, and a confirmed one is forgotten with the only person in whose words it stands", async () => {
  const ann = await owner();
  const price = "Сколько стоит торт на 3 кг?";
  // Each reply has its own words, so that it is no recurring reply.
  const replies = ["3 кг — 7500", "7500 рублей", "7 500 руб"];
  for (const [at, name] of NAMES.entries()) await ann.talk(name, price, replies[at]!);
  const learn = async () => {
    await ann.train();
    await findFacts(t.services, { ...ann.client.caller, twinId: ann.twinId }, calm);
  };
  const people = async () => {
    const ofTwin = eq(factProposals.twinId, ann.twinId);
    return (await ann.run((tx) => tx.select().from(factProposals).where(ofTwin))).map((fact) => fact.people);
  };
  await learn();
  expect(await people()).toEqual([3]);
  const facts = `/api/digital-twins/${ann.twinId}/chat-facts`;
  const [fact] = (await ann.client.get(facts)).json<ChatFacts>().facts;
  const confirmed = { decision: "confirm", question: price, text: "3 кг — 7500 рублей." };
  expect((await ann.client.put(`${facts}/${fact!.variants[0]!.id}`, confirmed)).statusCode).toBe(204);

  await ann.merge(NAMES[0]!, ...NAMES.slice(1));
  expect(await people()).toEqual([1]);
  await ann.run((tx) => tx.update(factProposals).set({ people: 3 }).where(eq(factProposals.twinId, ann.twinId)));
  await learn();
  expect(await people()).toEqual([1]);
  await ann.run(async (tx) => {
    await tx.select().from(twins).where(eq(twins.id, ann.twinId)).for("update");
    const all = await tx
      .select()
      .from(contacts)
      .where(and(eq(contacts.twinId, ann.twinId), inArray(contacts.name, NAMES)));
    for (const { id } of all) await forgetContact(tx, t.services.jobs, { ...ann.client.caller, sessionId: "" }, id);
    expect(await tx.select().from(corrections).where(eq(corrections.twinId, ann.twinId))).toEqual([]);
    expect(await tx.select().from(openReplies).where(eq(openReplies.twinId, ann.twinId))).toEqual([]);
  });
});
