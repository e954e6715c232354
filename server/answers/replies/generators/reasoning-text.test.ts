import { expect, test } from "vitest";
import { type ReasoningHabits, stripReasoning } from "./reasoning-text.ts";

async function* cut(text: string, step: number) {
  for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step);
}
async function spoken(text: string, { step = 3, habits }: { step?: number; habits?: ReasoningHabits } = {}) {
  const pieces: string[] = [];
  for await (const piece of stripReasoning(cut(text, step), habits)) pieces.push(piece);
  return { text: pieces.join("").trim(), pieces: pieces.length };
}

const SHAPES = [
  "<think>хм</think>Готово.",
  "<think>\nхм\n\n</think>\n\nГотово.",
  "<thinking>хм</thinking> Готово.",
  "<reasoning>хм</reasoning>Готово.",
  "<Thought>хм</Thought>Готово.",
  "[THINK]хм[/THINK]Готово.",
  "◁think▷хм◁/think▷Готово.",
  "хм, подумаю</think>Готово.",
  "хм, подумаю\n</thinking>\nГотово.",
  "<|channel|>analysis<|message|>хм<|end|><|start|>assistant<|channel|>final<|message|>Готово.<|return|>",
  "<|start|>assistant<|channel|>analysis<|message|>хм<|end|><|start|>assistant<|channel|>commentary to=functions.x<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Готово.",
  "analysisUser asks. хмassistantfinalГотово.",
  'Готово.<tool_call>{"name": "x"}</tool_call>',
  "Готово.<think>хм",
  "Готово.<|im_end|>\n<|im_start|>user\nещё?",
  "Готово.</s>",
  "<|start_header_id|>assistant<|end_header_id|>\n\nГотово.<|eot_id|>",
  "Готово.",
];

test.each(SHAPES)("only what is meant for people comes through: %s", async (text) => {
  for (const step of [1, 5, 500]) expect((await spoken(text, { step })).text).toBe("Готово.");
});

test("where the beginning of the thoughts is marked, the second answer is streamed", async () => {
  const habits: ReasoningHabits = { unmarked: null };
  expect((await spoken("<think>хм</think>Готово, можно забирать.", { habits })).pieces).toBe(1);
  expect(habits.unmarked).toBe(false);
  const second = await spoken("<think>хм</think>Готово, можно забирать. 3 < 5.", { habits });
  expect(second.text).toBe("Готово, можно забирать. 3 < 5.");
  expect(second.pieces).toBeGreaterThan(3);
});

test("every answer of a model whose thoughts begin without a mark is read whole", async () => {
  const habits: ReasoningHabits = { unmarked: null };
  for (let at = 0; at < 2; at++) {
    expect(await spoken("подумаю</think>Готово.", { habits })).toEqual({ text: "Готово.", pieces: 1 });
    expect(habits.unmarked).toBe(true);
  }
});
