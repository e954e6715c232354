import { expect, test } from "vitest";
import type { ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import { isFailed, isPickable, learnedOf, trialKey, tried } from "./trial-outcome.ts";

const http = {
  ...{ kind: "http", method: "GET", url: "https://example.ru/{order_id}", resultPath: "", idempotent: false },
  fields: [{ name: "order_id", label: "", type: "text", required: true, description: "", choices: [] }],
  ...{ headers: [], shown: [{ path: "status", label: "" }] },
} as const satisfies ToolInput["settings"];
const tool: ToolInput = {
  ...{ title: " ", description: "", enabled: false, degree: "itself", changes: false, examples: [] },
  proof: { everybody: false, channelPhone: null, asked: [] },
  settings: { ...http, fields: [...http.fields], headers: [], shown: [...http.shown] },
};
const came = (own: Partial<ToolTrial> = {}): ToolTrial => ({
  ...{ request: null, status: 200, durationMs: 1, answer: '{"status":"в пути","phone":"+7 912 345-67-89"}' },
  call: {
    ...{ actId: null, title: "Заказ", arguments: [], outcome: "done", note: null },
    result: [{ label: "phone", value: "+7 912 345-67-89" }],
  },
  ...own,
});
const nothing = { resultPath: "", places: [], reportsAll: false };

test("what is not named yet is tried under the program's name, and shown whole while nothing proves it", () => {
  expect(tried(tool, "Запрос")).toMatchObject({
    ...{ title: "Запрос", proof: { everybody: true } },
    settings: { fields: [{ label: "order_id" }], shown: [{ path: "status", label: "status" }] },
  });
});

test("a trial stays while places of its answer are named and proven, and is stale once the call is another", () => {
  const key = trialKey(tool);
  const settings = { ...tool.settings, shown: [], resultPath: "data", reportsAll: true } as ToolInput["settings"];
  const proof = { everybody: false, channelPhone: "phone", asked: [] };
  expect(trialKey({ ...tool, title: "Заказ", proof, settings })).toBe(key);
  expect(trialKey({ ...tool, changes: true })).not.toBe(key);
  expect(trialKey({ ...tool, settings: { ...tool.settings, url: "https://example.ru" } as never })).not.toBe(key);
  const table = {
    kind: "table",
    tableId: "8b0e2f1c-0000-4000-8000-000000000700",
    keyColumn: "Номер",
    shown: ["Статус"],
  } as const satisfies ToolInput["settings"];
  const ofTable = { ...tool, settings: { ...table, shown: ["Статус"] } };
  expect(trialKey({ ...ofTable, proof })).not.toBe(trialKey(ofTable));
});

test("without a choice the customer learns nothing of a read, and of a change only that it is done", () => {
  expect(learnedOf(came(), nothing, false)).toEqual({
    ...{ lines: [], note: "Пока ничего не\u00a0выбрано: нажмите на\u00a0значения" },
  });
  expect(learnedOf(came(), nothing, true)?.lines).toEqual([]);
  expect(learnedOf(came({ answer: "в пути" }), nothing, false)?.note).toContain("сообщать его весь");
  const places = [{ path: "status", label: "Статус" }];
  expect(learnedOf(came(), { ...nothing, places }, false)).toEqual({
    ...{ lines: [{ label: "Статус", value: "в пути" }], note: null },
  });
  expect(learnedOf(came(), { ...nothing, reportsAll: true }, false)?.lines).toHaveLength(2);
});

test("nothing is chosen from an error of the system", () => {
  const { call } = came();
  const absent = { ...call, outcome: "unproven", result: [] } as const;
  expect([isFailed({ status: 404, call: { ...absent, result: [] } }), isPickable({ status: 404, call })]).toEqual([
    true,
    false,
  ]);
  // The answer is there, and the place of the result is wrong: another one is chosen.
  expect(isPickable({ status: 200, call: { ...absent, result: [] } })).toBe(true);
  expect(isPickable({ status: 200, call: { ...call, outcome: "failed" } })).toBe(false);
  expect(learnedOf(came({ call: { ...absent, note: null, result: [] } }), nothing, false)).toBeNull();
});
