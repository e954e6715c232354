import { expect, test } from "vitest";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { buildRecordPrompt } from "./record-prompt.ts";

const sample = (reply: string) => ({ id: reply, incoming: null, reply, score: 0, sameContact: false });

test("where a sample has a mask, the model hears that it is no word of the owner", () => {
  const system = (...replies: string[]) =>
    buildRecordPrompt({ ...QUESTION_ABOUT_DELIVERY, exchanges: replies.map(sample) }).system;
  expect(system("[имя], бери синий", "щас")).toContain("Вместо скрытого стоит [имя]: сам так не пиши.");
  expect(system("щас")).not.toContain("Вместо скрытого");
});

test("a twin for friends may speak of the world, one for business needs its sources", () => {
  const system = (purpose: "business" | "friends") =>
    buildRecordPrompt({ ...QUESTION_ABOUT_DELIVERY, twin: { ...QUESTION_ABOUT_DELIVERY.twin, purpose } }).system;
  expect(system("friends")).toContain("О мире говори свободно");
  expect(system("business")).toContain("бери только из источников");
  expect(system("business")).not.toContain("О мире говори свободно");
});

test("samples have the room that sources do not need", () => {
  const samples = Array.from({ length: 60 }, (_, at) => sample(`${at} `.padEnd(100, "ну да ")));
  const shownBeside = (sources: number) => {
    const text = "Доставка по городу стоит 350 рублей. ".repeat(sources);
    const everything = [{ ...QUESTION_ABOUT_DELIVERY.chunks[0]!, text }];
    const { system } = buildRecordPrompt({ ...QUESTION_ABOUT_DELIVERY, exchanges: samples, everything }, 20_000);
    return system.split("\n").filter((line) => line.startsWith("— ")).length;
  };
  expect(shownBeside(1)).toBe(40);
  expect(shownBeside(330)).toBe(24);
});

test("only a twin for friends hears what a person does not do in a chat", () => {
  const system = (purpose: "business" | "friends") =>
    buildRecordPrompt({ ...QUESTION_ABOUT_DELIVERY, twin: { ...QUESTION_ABOUT_DELIVERY.twin, purpose } }).system;
  expect(system("friends")).toContain("не повторяй сказанного");
  expect(system("business")).not.toContain("не повторяй сказанного");
});
