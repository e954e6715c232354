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
  expect(new LearntOptions(baseUrl, foreign).begin("record").asked.besides).toEqual(besides);
});

const OPENAI = "https://api.openai.com/v1";

test("an effort that a model does not have is lowered step by step, then left out", () => {
  const request = new LearntOptions(OPENAI, true).begin("record");
  const efforts: unknown[] = [];
  for (let at = 0; at < 4; at++) {
    efforts.push(request.asked.besides.reasoningEffort);
    expect(request.refused("thinking")).toBe(true);
  }
  expect(efforts).toEqual(["none", "minimal", "low", undefined]);
});

test("of two answers under way that are refused together only one option is dropped", () => {
  const options = new LearntOptions(OPENAI, true);
  const [one, other] = [options.begin("record"), options.begin("verdict")];
  expect(one.refused("temperature")).toBe(true);
  one.accepted();
  expect(other.refused("temperature")).toBe(true);
  other.accepted();
  expect(options.begin("record").asked).toMatchObject({ temperature: undefined, besides: { reasoningEffort: "none" } });
});

test("what a request was refused with is left out from then on only if the server has answered without it", () => {
  const options = new LearntOptions(OPENAI, true);
  const before = options.begin("record").asked;
  const refusedWhole = options.begin("record");
  while (refusedWhole.refused(null));
  expect(refusedWhole.asked).toEqual({ format: undefined, temperature: undefined, besides: {} });
  expect(options.begin("record").asked).toEqual(before);
  const answered = options.begin("record");
  answered.refused(null);
  answered.accepted();
  expect(options.begin("record").asked).toEqual({ format: before.format, temperature: undefined, besides: {} });
});

test("a refusal that nothing is left to blame for ends the asking", () => {
  const options = new LearntOptions("http://localhost:1/v1", false);
  const text = options.begin("text");
  let tries = 1;
  while (text.refused(null)) tries++;
  expect(tries).toBe(2);
  const record = options.begin("record");
  expect(record.refused("format")).toBe(true);
  expect(record.asked.format).toBe("json");
});
