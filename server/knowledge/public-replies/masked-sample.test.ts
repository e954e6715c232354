/** A sample for everybody names none of the twin's contacts, however its owner spells them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { countMasks, type MaskSample, openSampleMask } from "./masked-sample.ts";

let t: TestApp;
let mask: MaskSample;
beforeAll(async () => {
  t = await testApp();
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const letters = ["Зяблова Ульяна", "grumbler_77", "Работа"].map((name) => ({
    ...{ name, incoming: "Ты где?", reply: "Тут.", audience: "own" as const },
  }));
  await asTenant(t.services.db, client.caller, async (tx) => {
    await storeLetters(tx, { ...client.caller, twinId }, letters);
    mask = await openSampleMask(tx, twinId);
  });
});
afterAll(() => t.close());

test.each([
  ["ульяна, бери синий", "[имя], бери синий"],
  ["спроси у зябловой", "спроси у [имя]"],
  ["grumbler_77 try the other one", "[имя] try the other one"],
  ["grumbler_: да", "[имя]: да"],
  ["some_1: да", "[имя]: да"],
  ["Иван77, смотри", "[имя], смотри"],
  ["звони +7 916 123-45-67", "звони [телефон]"],
])("«%s» becomes «%s»", (text, hidden) => expect(mask(text)).toBe(hidden));

test.each(["с работы приду)", "итог: всё ок", "в 12:30, как обычно", "2х спальная, ага"])(
  "nothing of «%s» is hidden",
  (text) => expect(mask(text)).toBe(text),
);

test("masks are counted", () => expect(countMasks("[имя] и [имя], [телефон]")).toBe(3));
