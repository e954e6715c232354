import { describe, expect, test } from "vitest";
import { ALL_STOPPED, CONFIDENT, draftReason, LOOP_REPLIES, type Situation, silence } from "./answer-rules.ts";
import { burstEnd, LONGEST_BURST_MS, quietMs } from "./burst.ts";
import { asksToStart, asksToStop } from "./contact-words.ts";

const now = new Date("2026-11-21T12:00:00Z");
const usual: Situation = {
  twinActive: true,
  integrationStatus: "active",
  autonomy: "auto",
  pausedUntil: null,
  optedOutAt: null,
  now,
};

test.each<[Partial<Situation>, string | null]>([
  [{}, null],
  [{ pausedUntil: new Date(now.getTime() - 1) }, null],
  [{ pausedUntil: new Date(now.getTime() + 1) }, "Диалог ведёте вы"],
  [{ optedOutAt: now }, "Собеседник попросил больше не писать"],
  [{ twinActive: false }, "Агент приостановлен"],
  [{ integrationStatus: "error" }, "Интеграция приостановлена"],
  [{ autonomy: "off" }, "Автоответы выключены"],
])("%o: %s", (change, reason) => {
  expect(silence({ ...usual, ...change })).toBe(reason);
});

describe("an answer goes out by itself", () => {
  const plan = (kind: "knowledge" | "unknown", confidence: number) => ({ kind, confidence, reason: "…" }) as never;
  const plain = { stopped: false, textless: false, recentReplies: 0, risk: null };
  test("at «auto» always, at «confident» when the twin is sure, at «draft» never", () => {
    expect(draftReason("auto", plan("unknown", 0), plain)).toBeNull();
    expect(draftReason("confident", plan("knowledge", CONFIDENT), plain)).toBeNull();
    expect(draftReason("confident", plan("knowledge", CONFIDENT - 0.01), plain)).not.toBeNull();
    expect(draftReason("confident", plan("unknown", 1), plain)).not.toBeNull();
    expect(draftReason("draft", plan("knowledge", 1), plain)).not.toBeNull();
  });
  test("never while all twins are stopped", () => {
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, stopped: true })).toBe(ALL_STOPPED);
  });
  test("never for an attachment without words, nor where two programs seem to talk", () => {
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, textless: true })).not.toBeNull();
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, recentReplies: LOOP_REPLIES })).not.toBeNull();
  });
  test("never on a topic that is the owner's alone, and says so at every level", () => {
    for (const autonomy of ["auto", "confident", "draft"] as const)
      expect(draftReason(autonomy, plan("knowledge", 1), { ...plain, risk: "Речь о суде" })).toBe("Речь о суде");
  });
});

test("an answer waits for a thought that is not finished, and longer for who pauses longer, at most five seconds", () => {
  const asked = quietMs([{ text: "Сколько стоит доставка?", at: 0 }]);
  const begun = quietMs([{ text: "подскажи", at: 0 }]);
  expect(asked).toBeLessThan(begun);
  const slow = [
    { text: "а", at: 0 },
    { text: "б", at: 1400 },
  ];
  expect(quietMs(slow)).toBe(2800);
  const endless = Array.from({ length: 20 }, (_, place) => ({ text: "и", at: place * 1000 }));
  expect(burstEnd(endless)).toBe(LONGEST_BURST_MS);
});

test.each([
  ["СТОП", true],
  ["/stop", true],
  ["Стоп!", true],
  ["Больше не пишите мне.", true],
  ["стоп, а сколько стоит?", false],
  ["Где стоп-кран?", false],
])("%s stops the replies: %s", (text, stops) => {
  expect(asksToStop(text)).toBe(stops);
});

test("/start and «старт» start them", () => {
  expect(["/start", "Старт", "start!"].map(asksToStart)).toEqual([true, true, true]);
  expect(asksToStart("когда старт продаж")).toBe(false);
});
