import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const DELIVERY =
  "Доставка по Москве занимает один день и стоит 350 рублей. Заказы от 5000 рублей доставляем бесплатно.";
const RETURNS =
  "Вернуть товар можно в течение четырнадцати дней, если сохранились упаковка и чек. Деньги приходят за три дня.";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const document = (digitalTwinId: string, changes: object = {}) => ({
  digitalTwinId,
  name: "Доставка",
  content: DELIVERY,
  type: "faq",
  ...changes,
});

describe("a document that is edited in place", () => {
  const CHANGED =
    "Доставка по Москве занимает два дня и стоит 490 рублей. Самовывоз бесплатный, каждый день с десяти утра.";

  async function uploaded(name = "Доставка", content = DELIVERY) {
    const owner = await t.signUp();
    const twinId = await buildTwin(owner);
    const { id } = (await owner.post("/api/knowledge/upload", document(twinId, { name, content }))).json();
    await t.jobsIdle();
    const before: KnowledgeDocument = (await owner.get(`/api/knowledge/documents/${id}`)).json();
    const put = (changes: object) => owner.put(`/api/knowledge/documents/${id}`, { ...before, ...changes });
    const found = async (q: string) =>
      (await owner.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(q)}`)).json() as { text: string }[];
    return { owner, twinId, id, before, put, found };
  }

  test("is answered from its new text at once, and never again from the former one", async () => {
    const { put, found, before } = await uploaded();
    expect((await found("сколько стоит доставка")).map(({ text }) => text).join()).toContain("350 рублей");
    const answer = await put({ name: "Доставка и самовывоз", content: CHANGED });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ name: "Доставка и самовывоз", content: CHANGED, length: CHANGED.length });
    expect(answer.json().version).not.toBe(before.version);
    for (const when of ["before the training", "after it"]) {
      const texts = (await found("сколько стоит доставка")).map(({ text }) => text).join();
      expect.soft(texts, when).toContain("490 рублей");
      expect.soft(texts, when).not.toContain("350 рублей");
      await t.jobsIdle();
    }
  });

  test("goes back to its former text, which is found again", async () => {
    const { put, found, before } = await uploaded();
    const { version } = (await put({ content: CHANGED })).json();
    const undone = await put({ version });
    expect(undone.json()).toMatchObject({ content: DELIVERY, version: before.version });
    await t.jobsIdle();
    expect((await found("сколько стоит доставка")).map(({ text }) => text).join()).toContain("350 рублей");
  });

  test("is not overwritten by a member who has read an older version", async () => {
    const { put, owner, id } = await uploaded();
    expect((await put({ content: CHANGED })).statusCode).toBe(200);
    const late = await put({ content: `${RETURNS} Ещё одна правка.` });
    expect(late.statusCode).toBe(409);
    expect(late.json().code).toBe("document_changed");
    expect((await owner.get(`/api/knowledge/documents/${id}`)).json().content).toBe(CHANGED);
  });

  test("of two simultaneous saves one gets a conflict", async () => {
    const { put } = await uploaded();
    const answers = await Promise.all([put({ content: CHANGED }), put({ content: RETURNS })]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test("is refused when the twin has the same text already, when it is too short, and when the organisation's space is used up", async () => {
    const { owner, twinId, put } = await uploaded();
    await owner.post("/api/knowledge/upload", document(twinId, { name: "Возврат", content: RETURNS }));
    expect((await put({ content: RETURNS })).json().code).toBe("document_exists");
    expect((await put({ content: "Мало слов" })).json().fields.content).toBe(
      "Содержимое должно быть минимум 50 символов",
    );
    const small = await testApp({ organizationBytes: 2000 });
    try {
      const ann = await small.signUp();
      const { id } = (await ann.post("/api/knowledge/upload", document(await buildTwin(ann)))).json();
      const before = (await ann.get(`/api/knowledge/documents/${id}`)).json();
      const longer = { ...before, content: `${DELIVERY} `.repeat(20) };
      expect((await ann.put(`/api/knowledge/documents/${id}`, longer)).json().code).toBe("storage_full");
      // A shorter text is accepted even if the space is used up.
      expect((await ann.put(`/api/knowledge/documents/${id}`, { ...before, content: RETURNS })).statusCode).toBe(200);
    } finally {
      await small.close();
    }
  });
});
