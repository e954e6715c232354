/** While the application is looked at, what the server tells has changed in the inbox is read again: that and nothing else. */
import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { approvalsApi } from "#contract/approvals.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { InboxChange, liveApi, PING_MS } from "#contract/live.ts";
import { queryKeyOf } from "#web/api.ts";
import { stream } from "#web/event-stream.ts";

/** The screen's own reading comes first. */
const START_MS = 1000;
/** Changes that come together are read together. */
const TOGETHER_MS = 150;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** Without the stream the screen asks by itself. */
const POLL_MS = 5_000;

let listening = false;
const watchers = new Set<() => void>();

function setListening(now: boolean) {
  listening = now;
  for (const watcher of watchers) watcher();
}

/** For `refetchInterval`: nothing while the stream tells of every change. */
export function usePolling(): number | false {
  const live = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => listening,
  );
  return live ? false : POLL_MS;
}

/** Listens while somebody is signed in and the tab is seen: a browser has few connections for all of its tabs. */
export function useLiveInbox() {
  const client = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    void keepListening(client, leaving.signal);
    return () => leaving.abort();
  }, [client]);
}

async function keepListening(client: QueryClient, signal: AbortSignal) {
  await pause(START_MS, signal);
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await untilSeen(signal);
    if (signal.aborted) return;
    const heard = await listen(client, signal);
    if (heard) wait = FIRST_WAIT_MS;
    // Half of it by chance: a server that starts again is not asked by everybody at once.
    await pause(wait / 2 + (Math.random() * wait) / 2, signal);
  }
}

/** Until the stream ends or falls silent, or the tab is hidden. Gives whether it began at all. */
async function listen(client: QueryClient, signal: AbortSignal): Promise<boolean> {
  const connection = new AbortController();
  const hide = () => document.hidden && connection.abort();
  document.addEventListener("visibilitychange", hide);
  const watchdog = () => setTimeout(() => connection.abort(), 3 * PING_MS);
  let silent = watchdog();
  const reread = together(client);
  let heard = false;
  try {
    for await (const { event, data } of stream(liveApi.events, {
      signal: AbortSignal.any([signal, connection.signal]),
    })) {
      clearTimeout(silent);
      silent = watchdog();
      if (event === "ready") {
        heard = true;
        setListening(true);
      }
      // What happened before it listened was told to nobody.
      if (event === "ready" || event === "everything") reread("everything");
      if (event === "change") {
        const change = InboxChange.safeParse(JSON.parse(data));
        if (change.success) reread(change.data);
      }
    }
  } catch {
    // Whatever it was, the screen asks by itself until the stream is back.
  } finally {
    clearTimeout(silent);
    document.removeEventListener("visibilitychange", hide);
    setListening(false);
  }
  return heard;
}

function together(client: QueryClient): (change: InboxChange | "everything") => void {
  let waiting: (InboxChange | "everything")[] = [];
  return (change) => {
    waiting.push(change);
    if (waiting.length > 1) return;
    setTimeout(() => {
      const changes = waiting;
      waiting = [];
      void client.invalidateQueries({ predicate: ({ queryKey }) => changes.some((one) => isTouched(queryKey, one)) });
    }, TOGETHER_MS);
  };
}

const [conversations] = queryKeyOf(conversationsApi.list, {});
const [totals] = queryKeyOf(conversationsApi.totals, {});
const [approvals] = queryKeyOf(approvalsApi.list, {});
const [waiting] = queryKeyOf(approvalsApi.count, {});

/** Which queries a change makes old. Exported for its test. */
export function isTouched([path, id, part]: QueryKey, change: InboxChange | "everything"): boolean {
  const ofApprovals = path === approvals || path === waiting;
  if (change === "everything") return path === conversations || path === totals || ofApprovals;
  const here = path === conversations && id === change.conversationId;
  switch (change.kind) {
    case "conversation":
      return (
        path === totals ||
        (path === conversations && id === "list") ||
        (here && (part === undefined || part === "messages"))
      );
    case "answer":
      return ofApprovals || (here && part === "answers");
    case "note":
      return here && part === "notes";
    case "contact":
      return here && part === "contact";
  }
}

function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
