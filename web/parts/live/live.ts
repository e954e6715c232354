/** Refetches what the server reports as changed in the inbox, in all windows of the browser over one connection. */
import { useEffect, useSyncExternalStore } from "react";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { INBOX_TAGS, InboxChange, liveApi, PING_MS, WHOLE_INBOX } from "#contract/conversations/live.ts";
import { stream } from "#web/api/event-stream.ts";
import { type RefreshScope, refresh } from "#web/api/refresh.ts";
import { addressOf } from "#web/api/request.ts";
import { joinWindows, type Windows } from "./windows.ts";

/** Delay before connecting, so that the screen's own requests come first. */
const START_DELAY_MS = 1000;
const BATCH_MS = 150;
const MIN_RECONNECT_MS = 1000;
const MAX_RECONNECT_MS = 30_000;
const POLL_MS = 5_000;

let listening = false;
const watchers = new Set<() => void>();

function setListening(now: boolean) {
  listening = now;
  for (const watcher of watchers) watcher();
}

/** Value for `refetchInterval`: no polling while the stream reports changes. */
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

/**
 * Listens while a user is signed in. One window, which may be hidden, listens for all windows of the browser. Where windows cannot
 * communicate, each listens while it is visible.
 */
export function useLiveInbox() {
  useEffect(() => {
    const leaving = new AbortController();
    void keepListening(leaving.signal);
    return () => leaving.abort();
  }, []);
}

/** Message between windows: a change, whether the leading window listens, or the question of a new window. */
type Told = InboxChange | "everything" | "listening" | "silent" | "asked";

async function keepListening(signal: AbortSignal) {
  await pause(START_DELAY_MS, signal);
  if (signal.aborted) return;
  const reread = together();
  let leading = false;
  let hears = false;
  const hear = (told: Told, windows?: Windows<Told>) => {
    if (told === "asked") {
      if (leading && hears) windows?.tell("listening");
    } else if (told === "silent") setListening(false);
    else if (told === "listening") {
      // Events before the connection were not delivered, so everything is refetched.
      if (!listening) reread("everything");
      setListening(true);
    } else reread(told);
  };
  const lead = async ({ tell }: Windows<Told>, { hidden }: { hidden: boolean }) => {
    leading = true;
    const say = (told: Told) => {
      if (told === "listening" || told === "silent") hears = told === "listening";
      tell(told);
    };
    // The former leader may have left without a message.
    say("silent");
    for (let wait = MIN_RECONNECT_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_RECONNECT_MS)) {
      if (!hidden) await untilSeen(signal);
      if (signal.aborted) return;
      const heard = await listen(say, signal, { hidden });
      if (heard) wait = MIN_RECONNECT_MS;
      // Half of the delay is random, so that clients do not all reconnect to a restarting server at once.
      await pause(wait / 2 + (Math.random() * wait) / 2, signal);
    }
  };
  const joined = await joinWindows<Told>("live-inbox", hear, (windows) => lead(windows, { hidden: true }), signal);
  if (!joined) await lead({ tell: hear }, { hidden: false });
}

/**
 * Listens until the stream ends or falls silent, or until the window is hidden and `hidden` is false. Returns whether the stream
 * started at all.
 */
async function listen(
  tell: (told: Told) => void,
  signal: AbortSignal,
  { hidden }: { hidden: boolean },
): Promise<boolean> {
  const connection = new AbortController();
  const hide = () => !hidden && document.hidden && connection.abort();
  document.addEventListener("visibilitychange", hide);
  const watchdog = () => setTimeout(() => connection.abort(), 3 * PING_MS);
  let silent = watchdog();
  let heard = false;
  try {
    for await (const { event, data } of stream(liveApi.events, {
      signal: AbortSignal.any([signal, connection.signal]),
    })) {
      clearTimeout(silent);
      silent = watchdog();
      if (event === "ready") {
        heard = true;
        tell("listening");
      }
      if (event === "everything") tell("everything");
      if (event === "change") {
        const change = InboxChange.safeParse(JSON.parse(data));
        if (change.success) tell(change.data);
      }
    }
  } catch {
    // Whatever the error was, the screens poll until the stream is back.
  } finally {
    clearTimeout(silent);
    document.removeEventListener("visibilitychange", hide);
    tell("silent");
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
      refresh(...changes.flatMap(staleQueriesAfter));
    }, BATCH_MS);
  };
}

/** The queries that a change makes stale. Exported for its test. */
export function staleQueriesAfter(change: InboxChange | "everything"): RefreshScope[] {
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
