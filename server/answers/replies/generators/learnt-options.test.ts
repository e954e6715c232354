import { expect, test } from "vitest";
import { LearntOptions } from "./learnt-options.ts";

test.each([
  ["https://api.openai.com/v1", true, { reasoningEffort: "none" }],
  ["https://openrouter.ai/api/v1", true, { reasoning: { enabled: false } }],
  ["https://dashscope.aliyuncs.com/compatible-mode/v1", true, { enable_thinking: false }],
  ["https://api.anthropic.com/v1", true, { thinking: { type: "disabled" } }],
  ["https://gigachat.devices.sberbank.ru/api/v1", true, {}],
  ["http://127.0.0.1:11434/v1", false, { reasoningEffort: "none", chat_template_kwargs: { enable_thinking: false } }],
  // Another name of a known host is another host.
  ["https://openrouter.ai.example.org/v1", true, { reasoningEffort: "none" }],
])("thinking is switched off at %s in that server's words", (baseUrl, foreign, besides) => {
  expect(new LearntOptions(baseUrl, foreign).of("record").besides).toEqual(besides);
});

test("an effort that a model does not have is lowered step by step, then left out", () => {
  const options = new LearntOptions("https://api.openai.com/v1", true);
  const efforts: unknown[] = [];
  for (let at = 0; at < 4; at++) {
    const asked = options.of("record");
    efforts.push(asked.besides.reasoningEffort);
    expect(options.refused(asked, "thinking")).toBe(true);
  }
  expect(efforts).toEqual(["none", "minimal", "low", undefined]);
});

test("of two answers under way that are refused together only one option is dropped", () => {
  const options = new LearntOptions("https://api.openai.com/v1", true);
  const [one, other] = [options.of("record"), options.of("verdict")];
  expect(options.refused(one, "temperature")).toBe(true);
  expect(options.refused(other, "temperature")).toBe(true);
  expect(options.of("record")).toMatchObject({ temperature: undefined, besides: { reasoningEffort: "none" } });
});

test("a refusal that nothing is left to blame for ends the asking", () => {
  const options = new LearntOptions("http://localhost:1/v1", false);
  let tries = 1;
  while (options.refused(options.of("text"), null)) tries++;
  expect(tries).toBe(2);
  expect(options.refused(options.of("record"), "format")).toBe(true);
  expect(options.of("record").format).toBe("json");
});
