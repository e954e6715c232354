/** A twin that has learnt from private letters. */
import { afterAll, beforeAll, expect } from "vitest";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { prepareReply } from "#server/answers/replies/planning/prepare-reply.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { createLog } from "#server/platform/log.ts";
import { type OpenAiServer, startOpenAiServer } from "../servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { PRIVATE_SENTENCES } from "./private-sentences.ts";

export const PEOPLE = ["Алевтина", "Бронислав", "Виолетта", "Герасим"];
/** Whose the sentence is. */
export const ownerOf = (at: number) => PEOPLE[at % PEOPLE.length]!;

export let t: TestApp;
export let model: OpenAiServer;
export let owner: TestClient;
export let colleague: TestClient;
export let twinId: string;
export let ids: Map<string, number>;
export let logged = "";
export const log = createLog("trace", {
  write(line: string) {
    logged += line;
  },
});

export const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, owner.caller, work);

export const QUESTIONS = PRIVATE_SENTENCES.map(([asked]) => asked);

export async function prepared(audience: Audience, message: string, generator: "embedded" | "llm") {
  return run(async (tx) => {
    const contactId = audience.kind === "contact" ? audience.contactId : null;
    const opened = await openTwin(tx, owner.caller, twinId, { contactId });
    const contact = contactId === null ? {} : { contact: { notes: [], address: null, styleGroup: null } };
    return prepareReply({
      ...opened,
      ...contact,
      message,
      history: [],
      audience,
      queryEmbedding: null,
      seed: "1",
      generator,
    });
  });
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function preparePrivateReplies(): void {
  beforeAll(async () => {
    model = await startOpenAiServer({ text: "Понятно." });
    const llm = { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 30 };
    t = await testApp({ llm }, log);
    owner = await t.signUp();
    colleague = await t.signUp({ role: "org_admin", organizationId: owner.caller.organizationId });
    const twin = await owner.post("/api/digital-twins", {
      name: "Двойник",
      description: "Отвечает знакомым и клиентам",
      personality: "Спокойный и внимательный, шутит редко",
      communicationStyle: "Коротко и по делу",
      knowledgeArea: "Ремонт велосипедов",
    });
    twinId = twin.json().id;
    await owner.post("/api/knowledge/upload", {
      digitalTwinId: twinId,
      name: "Мастерская",
      content: "Мастерская чинит велосипеды и самокаты. Заказ готов через три дня, запись по телефону.",
      type: "faq",
    });
    for (const name of PEOPLE) {
      const messages = PRIVATE_SENTENCES.flatMap(([asked, said], at) =>
        ownerOf(at) !== name
          ? []
          : [asked, said].map((content, side) => ({
              content,
              role: side === 0 ? "user" : "assistant",
              timestamp: new Date(Date.UTC(2026, 0, 1 + at, 12, side)).toISOString(),
            })),
      );
      const stored = await owner.post("/api/conversations/upload", {
        platform: "telegram",
        participants: [name],
        digitalTwinId: twinId,
        messages,
      });
      expect(stored.statusCode, stored.body).toBe(201);
    }
    await t.jobsIdle();
    const rows = await run((tx) => tx.select({ id: contacts.id, name: contacts.name }).from(contacts));
    ids = new Map(rows.map(({ id, name }) => [name, id]));
  });
  afterAll(async () => {
    await t.close();
    await model.close();
  });
}
