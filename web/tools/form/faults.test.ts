import { expect, test } from "vitest";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { faultsOf, missingOf } from "./faults.ts";

const proof = { everybody: true, channelPhone: null, asked: [] };
const question: ToolInput = {
  ...{ title: "Наличие", description: "", enabled: true, degree: "asks", changes: false, proof, examples: [] },
  settings: { kind: "question", question: "Есть ли {sort}?", fields: [] },
};

test("an action that is on needs a purpose or an example, and its question a field for each brace", () => {
  expect(faultsOf(question).map(([path]) => path)).toEqual(["settings.question", "description"]);
  const asked = { ...question, settings: { kind: "question", question: "Есть ли кофе?", fields: [] } } as const;
  expect(faultsOf({ ...asked, settings: { ...asked.settings, fields: [] }, examples: ["Есть кофе?"] })).toEqual([]);
  expect(faultsOf({ ...question, ...asked, settings: { ...asked.settings, fields: [] }, degree: "never" })).toEqual([]);
});

test("an imported action that is off lists what it lacks, a changing one too", () => {
  const imported: Tool = {
    ...question,
    ...{
      id: "1",
      twinId: "2",
      twinName: "Анна",
      forms: [],
      needsModel: null,
      example: null,
      offReason: null,
      createdAt: "",
      updatedAt: "",
    },
    ...{ enabled: false, changes: true, proof: { ...proof, everybody: false } },
    settings: {
      ...{ kind: "http", method: "POST", url: "https://example.ru", fields: [], resultPath: "", shown: [] },
      ...{ idempotent: false, proxy: null, headers: [{ name: "Authorization", missing: true }, { name: "X-Shop" }] },
    },
  };
  expect(missingOf(imported)).toEqual(["назначения или примера", "ключа Authorization"]);
  expect(missingOf({ ...imported, changes: false, description: "Узнать" })).toEqual([
    "ключа Authorization",
    "выбора, что сообщать",
    "выбора, кому это можно сказать",
  ]);
});
