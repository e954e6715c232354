import { expect, test } from "vitest";
import { JOB_RULES, type JobRule } from "./catalogue.ts";

test("jobs that run for minutes or by the hundred are background work, and those that a user waits for are not", () => {
  const rules = Object.entries(JOB_RULES) as [string, JobRule][];
  const background = rules.filter(([, rule]) => rule.background === true).map(([name]) => name);
  const forMinutes = rules.filter(([, rule]) => (rule.turnSeconds ?? 1) >= 60).map(([name]) => name);
  // Not `read-imported`, because an import may bring a thousand recordings.
  expect(background.filter((name) => name !== "read-imported")).toEqual(forMinutes);
  expect(background).toContain("read-imported");
  for (const name of ["process-inbox", "send-outbox", "list-dialogs"]) expect(background).not.toContain(name);
});
