import { expect, test } from "vitest";
import { isTouched } from "./live.ts";

const base = "/api/conversations";
const keys = {
  list: [base, "list", {}],
  totals: [`${base}/totals`],
  one: [base, "a"],
  messages: [base, "a", "messages"],
  answers: [base, "a", "answers"],
  notes: [base, "a", "notes"],
  contact: [base, "a", "contact"],
  other: [base, "b", "messages"],
  approvals: ["/api/approvals"],
  waiting: ["/api/approvals/count"],
  twins: ["/api/digital-twins"],
} as const;
const touched = (change: Parameters<typeof isTouched>[1]) =>
  Object.entries(keys).flatMap(([name, key]) => (isTouched(key, change) ? [name] : []));

test("a change makes the queries old that show it, and no others", () => {
  const conversationId = "a";
  expect(touched({ kind: "conversation", conversationId })).toEqual(["list", "totals", "one", "messages"]);
  expect(touched({ kind: "answer", conversationId })).toEqual(["answers", "approvals", "waiting"]);
  expect(touched({ kind: "note", conversationId })).toEqual(["notes"]);
  expect(touched({ kind: "contact", conversationId })).toEqual(["contact"]);
  expect(touched("everything")).not.toContain("twins");
});
