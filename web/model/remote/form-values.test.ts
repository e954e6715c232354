import { expect, test } from "vitest";
import { RemoteModelInput } from "#contract/models/remote-model.ts";
import { PRESETS, REMOTE_PRESETS } from "#contract/models/remote-model-presets.ts";
import { contextWarning, inputOf, readNumber, valuesOfPreset } from "./form-values.ts";

test("numbers are parsed as people write them, and other texts are refused", () => {
  expect(["0,2", "1 000", "3.5", ""].map(readNumber)).toEqual([0.2, 1000, 3.5, null]);
  for (const text of ["много", "-1", "1,2,3", "1e9"]) expect(readNumber(text)).toBeNaN();
});

test("an empty key field keeps the stored key, or means no key if none is stored", () => {
  const values = valuesOfPreset("ollama", true);
  expect(inputOf(values, true)).not.toHaveProperty("apiKey");
  expect(inputOf(values, false)).toMatchObject({ apiKey: "" });
});

test("a preset's initial values are valid once its placeholder and its key are filled in", () => {
  for (const preset of REMOTE_PRESETS.filter((one) => one !== "compatible")) {
    const values = { ...valuesOfPreset(preset, true), apiKey: PRESETS[preset].keyOptional ? "" : "key" };
    const read = RemoteModelInput.safeParse(inputOf(values, false));
    expect(read.success, preset).toBe(preset !== "yandexgpt");
    const filled = { ...values, model: values.model.replace(/<.*>/, "b1g0") };
    expect(RemoteModelInput.safeParse(inputOf(filled, false)).success, preset).toBe(true);
  }
});

test.each([
  ["nothing", "", "", 32_768, null],
  ["what the server tells", "32768", "", 32_768, "unpriced"],
  ["the same, at a known price", "32768", "0,2", 32_768, null],
  ["more than the server tells", "65 536", "0,2", 32_768, "more-than-told"],
  ["much, where the server is silent", "65536", "0,2", null, null],
  ["little", "4096", "", null, "small"],
  ["no number", "много", "", 32_768, null],
] as const)("a context of %s is accepted with this to consider", (_, contextTokens, inputPrice, told, warning) => {
  expect(contextWarning({ contextTokens, inputPrice }, told)).toBe(warning);
});

test("a context that is no whole number or out of all bounds is refused, and an empty field leaves it to the server", () => {
  const input = (contextTokens: string) => inputOf({ ...valuesOfPreset("ollama", true), contextTokens }, false);
  expect(input("")).not.toHaveProperty("contextTokens");
  expect(RemoteModelInput.safeParse(input("8 192")).data).toMatchObject({ contextTokens: 8192 });
  for (const text of ["1,5", "512", "99000000"]) expect(RemoteModelInput.safeParse(input(text)).success).toBe(false);
});
