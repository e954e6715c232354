import { expect, test } from "vitest";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { buildPrompt } from "../prompt/prompt.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { checkedAnswer } from "./checked-answer.ts";

const NOTES = ["Должник, судимся с ним с весны", "Пьёт", "Постоянный клиент, просит скидку 15%, живёт у Зинаиды"];
const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  ...QUESTION_ABOUT_DELIVERY,
  message: "Что у вас обо мне записано?",
  confidential: NOTES,
  ...over,
});

/** Returns the shown part of a model's answer that arrives letter by letter, in both attempts. */
async function shown(request: ReplyRequest, answer: string): Promise<string> {
  const attempt = () => ({
    cut: () => false,
    deltas: (async function* () {
      yield* answer;
    })(),
  });
  let text = "";
  for await (const delta of checkedAnswer(request, [], attempt)) text += delta;
  return text;
}

test.each([
  "У меня записано, что вы должник и мы судимся.",
  "Вы пьёте.",
  "Вы постоянный клиент.",
  "Отмечено: просите скидку.",
  "Вы живёте у Зинаиды.",
  "Вам положена скидка 15 %.",
])("a model's guess that repeats a note is not said: %s", async (answer) => {
  expect(await shown(asked(), answer)).not.toContain(answer.replace(".", ""));
});

test.each([
  ["Курьер привозит заказ завтра к обеду.", {}],
  ["Здравствуйте! Курьер привозит заказ завтра.", {}],
  // The word occurs in a document, or the contact has used it.
  ["Постоянный клиент получает заказ первым.", { documents: "Постоянный клиент получает заказ первым." }],
  ["Курьер пьёт чай и привозит заказ завтра.", { message: "Курьер пьёт чай, когда он привезёт заказ?" }],
  // One word in common with a note of several words is chance.
  ["Клиент получает заказ завтра.", {}],
] as const)("what stands in a source or the conversation may be said: %s", async (answer, over) => {
  const { documents, message } = { documents: undefined, message: "Когда привезут заказ?", ...over };
  const [chunk] = QUESTION_ABOUT_DELIVERY.chunks;
  const chunks = [{ ...chunk!, text: `${chunk!.text} ${documents ?? ""}` }];
  expect(await shown(asked({ message, chunks }), answer)).toBe(answer);
});

test("a contact who names what is noted learns nothing from the answer", async () => {
  const message = "Я ведь ваш должник, вы со мной судитесь с весны?";
  const answers = ["Да, вы должник, мы судимся.", "Нет, вы не должник."];
  for (const answer of answers)
    expect(await shown(asked({ message }), answer)).toBe(await shown(asked({ message, confidential: [] }), answer));
});

test("no note is in a prompt", () => {
  const { system, messages } = buildPrompt(asked());
  const read = [system, ...messages.map(({ content }) => content)].join("\n");
  for (const word of ["Должник", "судимся", "Пьёт", "Постоянный", "Зинаиды"]) expect(read).not.toContain(word);
  expect(buildPrompt(asked())).toEqual(buildPrompt(asked({ confidential: [] })));
});
