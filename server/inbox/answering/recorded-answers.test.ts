/** Answers with a record in a channel: sent by their probability, held with the doubtful place, calibrated by the owner's decisions. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { gapQuestions, outbox } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { hearMessage } from "#server/test/factories/hear-message.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

const ANSWER = "Доставка по Москве стоит 350 рублей, привезти на дом можно с 10:00 до 18:00.";

let model: OpenAiServer;
let t: TestApp;
let ann: TestClient;
let twinId: string;
beforeAll(async () => {
  model = await startOpenAiServer();
  t = await testApp({ llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 20 } });
  await t.services.jobs.stop(2000);
  ann = await t.signUp();
  twinId = await buildTwin(ann, { knowledgeArea: "Товары магазина" });
  const content = "Доставка по Москве стоит 350 рублей. Привезти на дом можно с 10:00 до 18:00.";
  await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Доставка", type: "faq", content });
  const { organizationId, userId } = ann.caller;
  await trainTwin(t.services, { organizationId, userId, twinId }, new AbortController().signal);
});
afterAll(async () => {
  await t.close();
  await model.close();
});

/** The model answers with these messages, in both attempts if there is a second one, and the verifier finds no fault. */
async function heard(
  autonomy: Autonomy,
  {
    said,
    kind = "answered",
    action = "",
    open = "",
    twice = false,
  }: { said: string | string[]; kind?: string; action?: string; open?: string; twice?: boolean },
  text = "А привезти на дом почём будет?",
) {
  const record = { kind, messages: [said].flat(), sources: [1], sums: [], open, action, search: "" };
  const verdict = { unsupported: [], fault: "", covers: "all", score: 10 };
  const answer = { kind: "ok", text: JSON.stringify(record) } as const;
  model.script(answer, twice ? answer : { kind: "ok", text: JSON.stringify(verdict) });
  return hearMessage(t, ann, { twinId, autonomy, text });
}

const approvalOf = async (id: string): Promise<Approval | undefined> =>
  (await ann.get("/api/approvals")).json<Approval[]>().find((one) => one.id === id);

test("a verified answer is sent at «confident»", async () => {
  const { state, text, reason, confidence } = await heard("confident", { said: ANSWER });
  expect([state, text, reason]).toEqual(["pending", ANSWER, null]);
  expect(confidence).toBeGreaterThan(0.9);
});

test("several messages reach the channel as several, however the model has divided them", async () => {
  const said = ["Да, возим.", "По Москве 350 рублей.\n\nПривезти на дом можно с 10:00", "до 18:00.", "Курьером."];
  const { text, citations } = await heard("confident", { said });
  expect(text).toBe("Да, возим.\n\nПо Москве 350 рублей.\nПривезти на дом можно с 10:00\n\nдо 18:00.\nКурьером.");
  expect(citations).toMatchObject({ parted: true });
  const { citations: ofOne } = await heard("confident", { said: `${ANSWER}\n\nЖдём.` });
  expect(ofOne).not.toHaveProperty("parted");
});

test("a wrong price in both attempts waits whole at «auto», its place is marked for the owner, and the contact sees nothing", async () => {
  const wrong = "Доставка по Москве стоит 900 рублей.";
  const held = await heard("auto", { said: wrong, twice: true });
  expect(held).toMatchObject({ state: "draft", text: wrong, shown: [] });
  // Every member reads the stored reason, so the answer's words are not in it.
  expect(held.reason).toBe("Ответ модели нужно проверить");
  expect(await approvalOf(held.id)).toMatchObject({
    doubtful: ["900 рублей"],
    reason: expect.stringContaining("«900 рублей»"),
  });
});

test("what an answer leaves open becomes a gap, in the model's words", async () => {
  const said = { said: "350 рублей. Про возврат пока не скажу.", kind: "partly", open: "сколько дней на возврат" };
  const { conversationId } = await heard("auto", said, "почём привезти и сколько дней на возврат?");
  const gaps = await asTenant(t.services.db, ann.caller, (tx) =>
    tx.select({ said: gapQuestions.said }).from(gapQuestions).where(eq(gapQuestions.conversationId, conversationId)),
  );
  expect(gaps).toEqual([{ said: "сколько дней на возврат" }]);
});

test("a request waits for the owner, who reads what to do", async () => {
  const said = { said: "Передам, ответят вам здесь.", kind: "act", action: "перенести доставку на пятницу" };
  const asked = await heard("confident", said, "перенесите доставку на пятницу");
  expect(asked).toMatchObject({ state: "draft", reason: "Просят о действии" });
  expect(await approvalOf(asked.id)).toMatchObject({ reason: "Просят о действии: перенести доставку на пятницу." });
});

test("answers like those that the owner rewrote are no longer sent, and he reads how many he rewrote", async () => {
  for (let at = 0; at < 5; at++) {
    const { id } = await heard("draft", { said: ANSWER });
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx
        .update(outbox)
        .set({ state: "sent", original: ANSWER, text: "Иначе", decidedBy: ann.caller.userId })
        .where(eq(outbox.id, id)),
    );
  }
  const doubted = await heard("confident", { said: ANSWER });
  expect(doubted).toMatchObject({ state: "draft", reason: "Двойник не уверен в ответе" });
  expect(await approvalOf(doubted.id)).toMatchObject({ track: { decided: 5, corrected: 5 } });
  const integration = (await ann.get(`/api/integrations/${doubted.integrationId}`)).json();
  expect(integration).toMatchObject({ track: { decided: 5, corrected: 5 } });
});
