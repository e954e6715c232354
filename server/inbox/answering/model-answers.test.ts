/** Whether a model's answer is sent or waits for approval depends on its content, not on the words that the search found. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { hearMessage } from "#server/test/factories/hear-message.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

const calm = new AbortController().signal;
/** Shares no content word with the document, so search by words has low confidence. */
const ASKED = "А привезти на дом почём будет?";
const ANSWER = "Доставка по Москве стоит 350 рублей, привезти на дом можно с 10:00 до 18:00.";
const INVENTED = { kind: "ok", text: "Доставка 900 рублей, вернём половину." } as const;

let model: OpenAiServer;
let t: TestApp;
let ann: TestClient;
let twinId: string;
beforeAll(async () => {
  model = await startOpenAiServer({ text: ANSWER });
  t = await testApp({ llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 20 } });
  await t.services.jobs.stop(2000);
  ann = await t.signUp();
  twinId = await buildTwin(ann, { knowledgeArea: "Товары магазина" });
  const content = "Доставка по Москве стоит 350 рублей. Привезти на дом можно с 10:00 до 18:00.";
  await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Доставка", type: "faq", content });
  const { organizationId, userId } = ann.caller;
  await trainTwin(t.services, { organizationId, userId, twinId }, calm);
});
afterAll(async () => {
  await t.close();
  await model.close();
});

const heard = (autonomy: Autonomy, text = ASKED) => hearMessage(t, ann, { twinId, autonomy, text });

test("an answer backed by documents is sent automatically at «confident», even if the word search found nothing certain", async () => {
  const { state, text, reason, confidence, shown } = await heard("confident");
  expect([state, text, reason]).toEqual(["pending", ANSWER, null]);
  expect(confidence).toBeGreaterThan(0.7);
  // Nothing was streamed earlier, because sending was not certain before the answer was complete.
  expect(shown).toEqual([ANSWER]);
  const messages = model.requests.at(-1)!.body.messages!;
  const { content: asked } = messages.at(-1)!;
  expect(messages[0]!.content).toContain("Доставка по Москве стоит 350 рублей.");
  expect(asked).toContain("«Иван Петров»");
  expect(messages[0]!.content).toMatch(/Сегодня \p{L}+, \d+ \p{L}+ 20\d\d/u);
  expect(asked).toMatch(/Сейчас \d\d:\d\d\./);
});

test.each(["confident", "auto"] as const)(
  "an invented answer waits for the owner at «%s», and is not shown to the contact",
  async (autonomy) => {
    model.script(INVENTED, INVENTED);
    const { id, state, text, reason, shown } = await heard(autonomy);
    expect(state).toBe("draft");
    expect(reason).toBe("Ответ модели нужно проверить");
    const [shownToOwner] = (await ann.get("/api/approvals")).json<Approval[]>().filter((one) => one.id === id);
    expect(shownToOwner?.reason).toMatch(/Модель назвала то, чего нет .*«900 рублей», «половину», «вернем»/);
    expect(`${text}${shown.join("")}`).not.toMatch(/900|верн[её]м/);
  },
);

test.each(["Да.", "Упаковку клиенты хвалят, привозили недавно коллеги."])(
  "what nothing bears out waits for the owner, who reads it, and a part of it is shown to nobody: %s",
  async (said) => {
    for (const autonomy of ["confident", "auto"] as const) {
      model.script({ kind: "ok", text: said });
      const { state, text, reason, shown } = await heard(autonomy);
      expect([state, text, shown]).toEqual(["draft", said, []]);
      if (autonomy === "auto") expect(reason).toBe("Ответ модели нужно проверить");
    }
  },
);

test("a message that the provider refuses for its content is asked once and waits for the owner with the reason", async () => {
  const error = { code: "data_inspection_failed", message: "Input data may contain inappropriate content." };
  const before = model.requests.length;
  model.script({ kind: "error", status: 400, body: JSON.stringify({ error }) });
  const { state, text, reason, shown } = await heard("auto");
  expect([state, text, reason, shown]).toEqual(["draft", "", "Модель отказалась отвечать на это сообщение.", []]);
  expect(model.requests.length - before).toBe(1);
});

test("a greeting is answered without giving the model any documents", async () => {
  model.script({ kind: "ok", text: "Здравствуйте!" });
  const { text } = await heard("auto", "Добрый вечер!");
  expect(text).toBe("Здравствуйте!");
  expect(model.requests.at(-1)!.body.messages![0]!.content).not.toContain("350 рублей");
});

test("at «auto» the twin promises to find out what the model does not know, and the question waits for the owner", async () => {
  model.script({ kind: "ok", text: "НЕТ_ДАННЫХ" });
  const { all, shown } = await heard("auto", "А в Вологду самолётом отправите?");
  const [told, open] = all.toSorted((a, b) => b.state.localeCompare(a.state));
  expect(told).toMatchObject({ state: "pending", text: expect.stringMatching(/уточню у владельца/i) });
  expect(shown.join("")).toBe(told!.text);
  // The owner fills in the empty draft, and the twin learns his text.
  expect(open).toMatchObject({ state: "draft", text: "" });
});
