/** What the page «Состояние» says of backups. */
import { expect, test } from "vitest";
import type { BackupState } from "#server/backup/last-backup.ts";
import { backupFact } from "./report.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const made = (hours: number, verified = true): BackupState["last"] => ({
  ...{ at: hoursAgo(hours), file: "/backups/one.age", bytes: 5 * 1024 ** 2, seconds: 3, verified },
});
const CONFIG = { folder: "/backups", hours: 24, kept: 7, passphrase: "p", recipient: null, identity: null };
const factOf = (state: BackupState, folder: string | null = CONFIG.folder, production = true) =>
  backupFact(state, { backup: { ...CONFIG, folder }, production }, NOW);

test.each<[string, BackupState, string | null, boolean, string, string]>([
  ["one in time", { last: made(20), failure: null }, "/backups", true, "ok", "Копии делаются"],
  ["the first still to come", { last: null, failure: null }, "/backups", true, "ok", "Первой копии ещё не было"],
  ["one that is late", { last: made(49), failure: null }, "/backups", true, "attention", "Копии давно не было"],
  ["one not read back", { last: made(1, false), failure: null }, "/backups", true, "attention", "не проверена"],
  ["no schedule", { last: null, failure: null }, null, true, "attention", "включают при установке"],
  [
    "no schedule where it is only tried out",
    { last: null, failure: null },
    null,
    false,
    "ok",
    "включают при установке",
  ],
])("%s", (_name, state, folder, production, expected, summary) => {
  const fact = factOf(state, folder, production);
  expect(fact.state).toBe(expected);
  expect(fact.summary).toContain(summary);
});

test("a failed attempt is a failure with its reason, and the last good one stays in sight with its age", () => {
  const fact = factOf({ last: made(30), failure: { at: hoursAgo(1), reason: "На диске нет места" } });
  expect(fact).toMatchObject({ state: "failure", summary: "Последняя попытка не удалась" });
  expect(fact.rows).toEqual([
    { name: "Причина", value: "На диске нет места" },
    { name: "Последняя", value: "1 д 6 ч назад" },
    { name: "Размер", value: "5 МБ" },
    { name: "Прочитана и проверена", value: "да" },
    { name: "Раз в", value: "24 ч" },
  ]);
});
