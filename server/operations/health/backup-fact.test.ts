import { expect, test } from "vitest";
import type { KnownBackups } from "#server/operations/backup/stored-backups.ts";
import { backupFact } from "./report.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const made = (hours: number, verified = true): KnownBackups["last"] => ({
  ...{ at: hoursAgo(hours), host: "one", bytes: 5 * 1024 ** 2, verified },
});
const factOf = (state: KnownBackups, hours: number | null = 24) => backupFact(state, hours, NOW);

test.each<[string, KnownBackups, number | null, string, string]>([
  ["one in time", { last: made(20), failure: null }, 24, "ok", "Копии делаются"],
  ["the first still to come", { last: null, failure: null }, 24, "ok", "Первой копии ещё не было"],
  ["one that is late", { last: made(49), failure: null }, 24, "attention", "Копии давно не было"],
  ["one not read back", { last: made(1, false), failure: null }, 24, "attention", "не проверена"],
  ["nothing that makes any", { last: null, failure: null }, null, "attention", "при установке"],
  ["one made by hand long ago", { last: made(490, false), failure: null }, null, "attention", "при установке"],
])("%s", (_name, state, hours, expected, summary) => {
  const fact = factOf(state, hours);
  expect(fact.state).toBe(expected);
  expect(fact.summary).toContain(summary);
  expect(fact.isUnconfigured ?? false).toBe(hours === null);
});

test("a small backup has its size in the unit that fits, for «0 МБ» would say that nothing is in it", () => {
  const small = { last: { at: hoursAgo(1), host: "one", bytes: 12 * 1024, verified: true }, failure: null };
  expect(factOf(small).rows).toContainEqual({ name: "Размер", value: "12\u00a0КБ" });
});

test("a failed attempt is a failure with its reason, and the last good one stays in sight with its age", () => {
  const fact = factOf({ last: made(30), failure: { at: hoursAgo(1), host: "one", reason: "На диске нет места" } });
  expect(fact).toMatchObject({ state: "failure", summary: "Последняя попытка не удалась" });
  expect(fact.rows).toEqual([
    { name: "Причина", value: "На диске нет места" },
    { name: "Последняя", value: "1\u00a0д\u00a06\u00a0ч\u00a0назад" },
    { name: "Размер", value: "5\u00a0МБ" },
    { name: "Прочитана и проверена", value: "да" },
    { name: "Раз в", value: "24 ч" },
  ]);
});
