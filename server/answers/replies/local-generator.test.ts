/** The model's process may end, hang or be missing without a reply being lost. */
import { expect, test } from "vitest";
import { hostOf, ODD } from "#server/test/models/local-answers.ts";
import { asked, chunk, generatorOf, reply } from "#server/test/models/local-generator-bench.ts";
import { planAfter } from "./planning/decide.ts";

const FOUND = { text: "Доставка стоит 350 рублей.", citations: [], confidence: 0.9, toRemark: true };
const SAID = "Доставка стоит 350 рублей.";
const UNKNOWN = /^(?:К сожалению|Честно|Этого|Не|Точно|Тут|Уточню)[^0-9]+$/;
const INVENTED = "Доставка стоит 900 рублей, вернём деньги.";

/** Returns the answer of a model with this exam when documents name two prices and the extractive reader points at the first. */
async function ofTwoPrices(ability: "words" | "answers", script: string) {
  const generator = generatorOf(hostOf(`says [["${script}","end"]]`, { program: ODD }), ability);
  const chunks = [chunk("Доставка стоит 350 рублей."), chunk("Доставка мебели и подъём стоят 900 рублей.")];
  const answer = { ...FOUND, citations: [{ text: chunks[0]!.text, chunk: chunks[0]! }] };
  const request = asked({ chunks, answer });
  return { said: await reply(generator, request), request, generator };
}

test("a measurement fails when the model does not answer, so the embedded engine is not measured in its name", async () => {
  const generator = generatorOf(hostOf("rubbish", { program: ODD }));
  await expect(reply(generator, asked({ background: true }))).rejects.toMatchObject({
    status: 502,
    code: "model_failed",
  });
});

test.each<
  [string, [string, "end" | "length"][], { text: string | RegExp; kind?: string; held?: boolean; fell?: boolean }]
>([
  ["thinks aloud", [["<think>хм, 900 рублей</think>Доставка стоит 350 рублей.", "end"]], { text: SAID }],
  ["thinks without a mark", [["хм, 900 рублей</think>Доставка стоит 350 рублей.", "end"]], { text: SAID }],
  ["is cut", [["Доставка стоит 350 рублей. Курьер при", "length"]], { text: SAID }],
  [
    "is cut before any end",
    [
      ["Доставка сто", "length"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  ["writes Markdown", [["**Доставка** стоит `350` рублей.", "end"]], { text: SAID }],
  [
    "calls a tool, then answers",
    [
      ['<tool_call>{"name":"x"}</tool_call>', "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "says nothing, then answers",
    [
      ["", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  ["says nothing at all", [["", "end"]], { text: SAID, fell: true }],
  [
    "invents, then answers",
    [
      [INVENTED, "end"],
      [SAID, "end"],
    ],
    { text: SAID, kind: "knowledge" },
  ],
  ["invents twice", [[INVENTED, "end"]], { text: UNKNOWN, kind: "unknown", held: true }],
  ["speaks of itself", [["Я языковая модель, созданная для помощи.", "end"]], { text: UNKNOWN, kind: "unknown" }],
  ["says that it does not know", [["НЕТ_ДАННЫХ", "end"]], { text: UNKNOWN, kind: "unknown" }],
  [
    "slips into another language",
    [
      ["送货费用是三百五十卢布。", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "says the question back",
    [
      ["Сколько стоит доставка?", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "does not end",
    [[`${SAID} ${"Доставка стоит дорого и долго. ".repeat(260)}`, "length"]],
    { text: `${SAID} Доставка стоит дорого и долго.` },
  ],
])("a model that %s", async (_, script, { text, kind, held = false, fell = false }) => {
  const generator = generatorOf(hostOf(`says ${JSON.stringify(script)}`, { program: ODD }));
  // A draft keeps weakly supported text, so this test shows what may be released at all.
  const request = asked({ drafted: true });
  const said = await reply(generator, request);
  if (typeof text === "string") expect(said).toBe(text);
  else expect(said).toMatch(text);
  const plan = planAfter(generator, request, said);
  expect([generator.fellBack?.(request), plan.held ?? false]).toEqual([fell, held]);
  if (kind !== undefined) expect(plan.kind).toBe(kind);
  if (held) expect(plan.reason).toMatch(/«900 рублей», «вернем»/);
});

test("a weakly supported answer is kept for the owner's draft; other askers get what the documents say", async () => {
  const guess = [["Шкафы бывают разные.", "end"]];
  const generator = generatorOf(hostOf(`says ${JSON.stringify(guess)}`, { program: ODD }));
  const message = "А мебель собираете?";
  const unknown = asked({ message, plan: { kind: "unknown", confidence: 0.1, reason: "Ничего не нашлось." } });
  expect(await reply(generator, unknown)).toMatch(UNKNOWN);
  expect(planAfter(generator, unknown, "").kind).toBe("unknown");
  const known = asked({ message, answer: FOUND });
  const said = await reply(generator, known);
  expect(said).not.toContain("Шкафы");
  expect(said).toContain("350 рублей");
  expect(planAfter(generator, known, said)).toMatchObject({
    ...{ kind: "knowledge", confidence: known.plan.confidence },
    reason: expect.stringMatching(/^Модель не дала ответа, который документы подтверждают: двойник ответил без неё\. /),
  });
  const drafted = asked({ message, drafted: true });
  const draft = await reply(generator, drafted);
  expect(draft).toBe("Шкафы бывают разные.");
  expect(planAfter(generator, drafted, draft)).toMatchObject({ held: true });
});

test("a model that has not passed its exam is trusted where the extractive reader agrees, another one wherever a document supports it", async () => {
  expect((await ofTwoPrices("words", "350 рублей стоит доставка.")).said).toBe("350 рублей стоит доставка.");
  const { said, request, generator } = await ofTwoPrices("words", "Доставка и подъём стоят 900 рублей.");
  expect(said).toBe("Доставка стоит 350 рублей.");
  expect(planAfter(generator, request, said).reason).toMatch(/двойник ответил без неё/);
  expect((await ofTwoPrices("answers", "Доставка и подъём стоят 900 рублей.")).said).toBe(
    "Доставка и подъём стоят 900 рублей.",
  );
});

test("a model that has not passed its exam and sees no answer does not suppress the answer that was found without it", async () => {
  expect((await ofTwoPrices("words", "НЕТ_ДАННЫХ")).said).toBe("Доставка стоит 350 рублей.");
  expect((await ofTwoPrices("answers", "НЕТ_ДАННЫХ")).said).toMatch(UNKNOWN);
});

test("a bare «да» is said only where one place of the documents holds what is asked and does not deny it", async () => {
  const generator = generatorOf(hostOf('says [["Да.","end"]]', { program: ODD }));
  const ask = async (message: string, text: string) => {
    const request = asked({ message, chunks: [chunk(text)] });
    const said = await reply(generator, request);
    return { said, plan: planAfter(generator, request, said) };
  };
  const held = await ask("Вы привозите мебель в Химки?", "Мебель мы привозим и в Химки, и в Мытищи.");
  expect(held).toMatchObject({ said: "Да.", plan: { kind: "knowledge" } });
  // The confidence is too low for automatic sending: the words match, but no sentence confirms that they mean yes.
  expect(held.plan.confidence).toBeCloseTo(0.6);
  expect((await ask("Вы привозите мебель в Химки?", "Мебель в Химки не привозим.")).said).toBe(
    "Мебель в Химки не привозим.",
  );
  expect((await ask("Вы собираете шкафы на дому?", "Мебель мы привозим в Химки.")).said).not.toMatch(/^Да/);
});
