import { useEffect, useState } from "react";
import type { WaitingState } from "#web/parts/waiting/waiting-of.ts";
import type { ShownConversation } from "../shown-conversation.ts";

const MINUTE = 60_000;

export function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

type Talk = Pick<ShownConversation, "lead" | "unread" | "isActive" | "lastMessageTime">;

/** Returns «ждёт 25 мин», the time since the contact waits for an answer that only the owner can give; undefined otherwise. */
export function waitingTimeText(talk: Talk, waiting: WaitingState | undefined, now: number): string | undefined {
  // During a takeover no draft represents the unanswered messages.
  const unanswered = talk.isActive && talk.lead === "me" && talk.unread > 0;
  const since = waiting?.since ?? (unanswered ? talk.lastMessageTime : undefined);
  if (since === undefined) return undefined;
  const minutes = Math.max(1, Math.floor((now - Date.parse(since)) / MINUTE));
  if (minutes < 60) return `ждёт ${minutes}\u00a0мин`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `ждёт ${hours}\u00a0ч` : `ждёт ${Math.floor(hours / 24)}\u00a0дн.`;
}
