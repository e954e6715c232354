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
      taken: [],
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

test("labels that are still a program's are refused in an action that is on, and listed in one that is off", () => {
  const http: ToolInput["settings"] = {
    ...{ kind: "http", method: "GET", url: "https://example.ru/{order_id}", resultPath: "", idempotent: false },
    fields: [{ name: "order_id", label: "order id", type: "text", required: true, description: "", choices: [] }],
    ...{ headers: [], shown: [{ path: "order.status", label: "status" }] },
  };
  const tool: ToolInput = { ...question, examples: ["Где заказ 1042?"], settings: http };
  expect(faultsOf(tool).map(([path]) => path)).toEqual(["settings.fields.0.label", "settings.shown.0.label"]);
  expect(faultsOf({ ...tool, settings: { ...http, fields: [], shown: [] } }).map(([path]) => path)).toEqual([
    "settings.shown",
  ]);
  const { proxy: _, ...settings } = http;
  const off: Tool = {
    ...{ ...tool, title: "getOrder", enabled: false, settings: { ...settings, headers: [], proxy: null } },
    ...{ id: "1", twinId: "2", twinName: "Анна", forms: [], offReason: null, createdAt: "", updatedAt: "" },
    ...{ needsModel: null, example: null, taken: [] },
  };
  expect(missingOf(off)).toEqual(["названия по-русски", "названий по-русски (order id, status)"]);
  expect(missingOf({ ...off, enabled: true })).toEqual([]);
});
