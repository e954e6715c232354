import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { actCountApi } from "#contract/actions/act-count.ts";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { contactsApi } from "#contract/conversations/contact-card.ts";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { twinsApi } from "#contract/twins.ts";
import { cacheOptionsFor, queryOf } from "#web/api/query.ts";
import { queryClient } from "#web/api/query-client.ts";
import { refresh } from "#web/api/refresh.ts";
import { staleQueriesAfter } from "./live.ts";

const a = { params: { id: "a" } };
const queries = {
  list: { queryKey: ["list"], ...cacheOptionsFor(conversationsApi.list) },
  totals: queryOf(conversationsApi.totals),
  one: queryOf(conversationsApi.get, a),
  messages: queryOf(conversationsApi.messages, a),
  answers: queryOf(approvalsApi.ofConversation, a),
  notes: queryOf(contactsApi.notes, a),
  contact: queryOf(contactsApi.card, a),
  other: queryOf(conversationsApi.messages, { params: { id: "b" } }),
  approvals: queryOf(approvalsApi.list),
  waiting: queryOf(approvalsApi.count),
  acts: queryOf(actCountApi.count),
  twins: queryOf(twinsApi.list),
};

const leave: (() => void)[] = [];
beforeEach(() => {
  // The responses do not matter here, only which queries become stale.
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  vi.stubGlobal("localStorage", { getItem: () => null });
});
afterEach(() => {
  for (const end of leave.splice(0)) end();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function touched(change: Parameters<typeof staleQueriesAfter>[0]): string[] {
  queryClient.clear();
  for (const { queryKey, meta } of Object.values(queries)) {
    queryClient.setQueryData(queryKey, []);
    leave.push(
      new QueryObserver(queryClient, { queryKey, meta, queryFn: () => new Promise(() => {}) }).subscribe(() => {}),
    );
  }
  refresh(...staleQueriesAfter(change));
  return Object.entries(queries).flatMap(([name, { queryKey }]) =>
    queryClient.getQueryState(queryKey)?.isInvalidated ? [name] : [],
  );
}

test("a change makes the queries old that show it, and no others", () => {
  const conversationId = "a";
  expect(touched({ kind: "conversation", conversationId })).toEqual(["list", "totals", "one", "messages"]);
  expect(touched({ kind: "answer", conversationId })).toEqual(["answers", "approvals", "waiting", "acts"]);
  expect(touched({ kind: "note", conversationId })).toEqual(["notes"]);
  expect(touched({ kind: "contact", conversationId })).toEqual(["contact"]);
  expect(touched("everything")).not.toContain("twins");
  expect(touched("everything")).toEqual(
    expect.arrayContaining(["list", "totals", "one", "messages", "answers", "approvals"]),
  );
});
