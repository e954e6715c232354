/** While the tab is visible, refetches exactly what the server reports as changed in the inbox. */
import { useEffect, useSyncExternalStore } from "react";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { INBOX_TAGS, InboxChange, liveApi, PING_MS, WHOLE_INBOX } from "#contract/conversations/live.ts";
import { stream } from "#web/api/event-stream.ts";
import { type Change, refresh } from "#web/api/refresh.ts";
import { addressOf } from "#web/api/request.ts";

/** Delay, so that the screen's own requests come first. */
const START_DELAY_MS = 1000;
/** Changes within this time are refetched together. */
const BATCH_MS = 150;
const MIN_RECONNECT_MS = 1000;
const MAX_RECONNECT_MS = 30_000;
/** Polling interval while there is no stream. */
const POLL_MS = 5_000;

let listening = false;
const watchers = new Set<() => void>();

function setListening(now: boolean) {
  listening = now;
  for (const watcher of watchers) watcher();
}

/** For `refetchInterval`: no polling while the stream reports changes. */
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

/** Listens while a user is signed in and the tab is visible, because a browser has few connections for all tabs. */
export function useLiveInbox() {
  useEffect(() => {
    const leaving = new AbortController();
    void keepListening(leaving.signal);
    return () => leaving.abort();
  }, []);
}

async function keepListening(signal: AbortSignal) {
  await pause(START_DELAY_MS, signal);
  for (let wait = MIN_RECONNECT_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_RECONNECT_MS)) {
    await untilSeen(signal);
    if (signal.aborted) return;
    const heard = await listen(signal);
    if (heard) wait = MIN_RECONNECT_MS;
    // Half of it by chance: a server that starts again is not asked by everybody at once.
    await pause(wait / 2 + (Math.random() * wait) / 2, signal);
  }
}

/** Listens until the stream ends or falls silent, or the tab is hidden. Returns whether the stream started at all. */
async function listen(signal: AbortSignal): Promise<boolean> {
  const connection = new AbortController();
  const hide = () => document.hidden && connection.abort();
  document.addEventListener("visibilitychange", hide);
  const watchdog = () => setTimeout(() => connection.abort(), 3 * PING_MS);
  let silent = watchdog();
  const reread = together();
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

function together(): (change: InboxChange | "everything") => void {
  let waiting: (InboxChange | "everything")[] = [];
  return (change) => {
    waiting.push(change);
    if (waiting.length > 1) return;
    setTimeout(() => {
      const changes = waiting;
      waiting = [];
      refresh(...changes.flatMap(staleAfter));
    }, BATCH_MS);
  };
}

/** The queries that a change makes stale. Exported for its test. */
export function staleAfter(change: InboxChange | "everything"): Change[] {
  if (change === "everything") return [{ tags: WHOLE_INBOX }];
  const { everywhere, there } = INBOX_TAGS[change.kind];
  const below = addressOf(conversationsApi.get, { params: { id: change.conversationId } });
  return [{ tags: everywhere }, { tags: there, below }];
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
