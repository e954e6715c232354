import { expect, test } from "vitest";
import { waitingTimeText } from "./waiting-time.ts";

const NOW = Date.parse("2026-11-26T12:00:00.000Z");
const talk = { lead: "twin", unread: 1, isActive: true, lastMessageTime: "2026-11-26T11:35:00.000Z" } as const;
const draft = (since: string) => ({ kind: "draft", since }) as const;

test("a contact who waits for a decision is shown with the time since the question", () => {
  expect(waitingTimeText(talk, draft("2026-11-26T11:59:50.000Z"), NOW)).toBe("ждёт 1\u00a0мин");
  expect(waitingTimeText(talk, draft("2026-11-26T11:01:00.000Z"), NOW)).toBe("ждёт 59\u00a0мин");
  expect(waitingTimeText(talk, draft("2026-11-26T11:00:00.000Z"), NOW)).toBe("ждёт 1\u00a0ч");
  expect(waitingTimeText(talk, draft("2026-11-24T12:01:00.000Z"), NOW)).toBe("ждёт 47\u00a0ч");
  expect(waitingTimeText(talk, draft("2026-11-24T12:00:00.000Z"), NOW)).toBe("ждёт 2\u00a0дн.");
});

test("unread words wait for the owner only where he leads the talk himself", () => {
  expect(waitingTimeText(talk, undefined, NOW)).toBeUndefined();
  expect(waitingTimeText({ ...talk, lead: "me" }, undefined, NOW)).toBe("ждёт 25\u00a0мин");
  expect(waitingTimeText({ ...talk, lead: "me", unread: 0 }, undefined, NOW)).toBeUndefined();
  expect(waitingTimeText({ ...talk, lead: "me", isActive: false }, undefined, NOW)).toBeUndefined();
});
