/** State of /conversations in its URL: `?tab=…&q=…&platform=…&twin=…&whose=…&label=…&day=…&snoozed&dialog=…&message=…&new`. */
import { createContext, use, useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { ConversationFilters } from "./shown-conversation.ts";

export const conversationTabs = ["all", "approval", "twin", "me", "closed", "tests"] as const;
export type ConversationTab = (typeof conversationTabs)[number];

export const tabNames: Record<ConversationTab, string> = {
  all: "Все",
  approval: "Ждут одобрения",
  twin: "Ведёт двойник",
  me: "Веду я",
  closed: "Закрыты",
  tests: "Тестовые чаты",
};

const NAMES = ["tab", "q", "platform", "twin", "whose", "label", "day", "snoozed", "dialog", "message", "new"] as const;
type Change = Partial<Record<(typeof NAMES)[number], string | null>>;

/** Returns the same object until the address changes. */
export function useConversationAddress() {
  const [search, setSearch] = useSearchParams();

  /** `push` adds a history entry, so that the browser's «back» undoes the change. */
  const change = useCallback(
    (values: Change, { push = false } = {}) => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value === null || (value === "" && name !== "new" && name !== "snoozed")) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: !push },
      );
    },
    [setSearch],
  );

  return useMemo(
    () => ({
      tab: conversationTabs.find((name) => name === search.get("tab")) ?? "all",
      q: search.get("q") ?? "",
      platform: search.get("platform") ?? "",
      twinId: search.get("twin") ?? "",
      whose: (["me", "none"] as const).find((name) => name === search.get("whose")),
      label: search.get("label") ?? "",
      /** YYYY-MM-DD: conversations with messages on that day in Moscow time, as /analytics counts. */
      day: /^\d{4}-\d\d-\d\d$/.exec(search.get("day") ?? "")?.[0] ?? "",
      snoozed: search.has("snoozed"),
      conversationId: search.get("dialog"),
      messageId: search.get("dialog") === null ? null : search.get("message"),
      choosing: search.has("new"),
      change,
    }),
    [search, change],
  );
}

export const NO_FILTERS = { platform: null, twin: null, whose: null, label: null, day: null, snoozed: null } as const;

export type ConversationAddress = ReturnType<typeof useConversationAddress>;

/** The address that the user has just requested. Markers follow it at once, the content of the page later. */
export const AddressNow = createContext<ConversationAddress | null>(null);

export function useAddressNow(): ConversationAddress {
  const now = use(AddressNow);
  if (!now) throw new Error("The inbox has no address");
  return now;
}

/**
 * Returns the query for the server; null for the tab that shows drafts. Test chats have their own tab: contacts' conversations include
 * them only in a search, or while there are no contacts.
 */
export function filtersOf(
  { tab, q, platform, twinId, whose, label, day, snoozed }: ConversationAddress,
  { testsApart }: { testsApart: boolean },
): ConversationFilters | null {
  if (tab === "approval") return null;
  const tests = tab === "tests";
  const status = tab === "closed" ? "closed" : tab === "twin" ? "active" : undefined;
  return {
    ...(q.trim() ? { q: q.trim() } : {}),
    ...(status ? { status } : {}),
    ...(tab === "me" || tab === "twin" ? { lead: tab } : {}),
    ...(tests ? { platform: "test" } : platform ? { platform } : testsApart && !q.trim() ? { contacts: "1" } : {}),
    ...(twinId ? { twinId } : {}),
    ...(whose ? { assignee: whose } : {}),
    ...(label ? { label } : {}),
    ...(day ? { day } : {}),
    ...(snoozed ? { snoozed: "1" } : {}),
  };
}
