import { describe, expect, test } from "vitest";
import { isOptIn, isOptOut } from "#server/inbox/channel-protocol/opt-out.ts";
import { CONFIDENCE_THRESHOLD, isConfident } from "#server/models/media/confidence-threshold.ts";
import {
  ALL_STOPPED,
  type AnswerSituation,
  CONFIDENT,
  draftReason,
  LOOP_REPLIES,
  shouldAskToWrite,
  shouldSendAwayMessage,
  silenceReason,
  UNPROVEN_STOP,
} from "./answer-policy.ts";
import { DEBOUNCE_TIMES, debounceEnd, quietMs } from "./debounce.ts";

const now = new Date("2026-11-21T12:00:00Z");
const usual: AnswerSituation = {
  twinActive: true,
  integrationStatus: "active",
  autonomy: "auto",
  pausedUntil: null,
  optedOutAt: null,
  consentRefused: false,
  closed: null,
  now,
};

test.each<[Partial<AnswerSituation>, string | null]>([
  [{}, null],
  [{ pausedUntil: new Date(now.getTime() - 1) }, null],
  [{ pausedUntil: new Date(now.getTime() + 1) }, "Диалог ведёте вы"],
  [{ optedOutAt: now }, "Собеседник попросил больше не писать"],
  [{ consentRefused: true }, "Собеседник не согласен, чтобы отвечал ИИ"],
  [{ twinActive: false }, "Двойник приостановлен"],
  [{ integrationStatus: "error" }, "Интеграция приостановлена"],
  [{ autonomy: "off" }, "Автоответы выключены"],
  [{ closed: { since: now, outside: "draft" } }, null],
  [{ closed: { since: now, outside: "silent" } }, "Вне рабочих часов"],
  [{ closed: { since: now, outside: "away" } }, "Вне рабочих часов"],
])("%o: %s", (change, reason) => {
  expect(silenceReason({ ...usual, ...change })).toBe(reason);
});

test("that it is closed is not told to whom a forged letter names", () => {
  const closed = { since: new Date(now.getTime() - 3600_000), outside: "away" } as const;
  const from = { stopped: false, awayToldAt: null, stopUnproven: false };
  expect(shouldSendAwayMessage({ ...usual, closed }, { ...from, sender: "failed" })).toBe(false);
  expect(shouldSendAwayMessage({ ...usual, closed }, { ...from, sender: "unproven" })).toBe(true);
  expect(shouldSendAwayMessage({ ...usual, closed }, { ...from, sender: "unproven", stopUnproven: true })).toBe(false);
});

test.each<[string, Partial<AnswerSituation>, Date | null, boolean, boolean]>([
  ["to who was not told yet", {}, null, false, true],
  ["to who was told before it closed", {}, new Date(now.getTime() - 7200_000), false, true],
  ["not twice until the next opening", {}, new Date(now.getTime() - 1), false, false],
  ["also where every answer waits for the owner", { autonomy: "draft" }, null, false, true],
  ["not while all are stopped", {}, null, true, false],
  ["not where the owner speaks", { pausedUntil: new Date(now.getTime() + 1) }, null, false, false],
  ["not to who wants no more", { optedOutAt: now }, null, false, false],
  ["not where the twin is off", { autonomy: "off" }, null, false, false],
])("the away message is sent %s", (_when, change, awayToldAt, stopped, told) => {
  const closed = { since: new Date(now.getTime() - 3600_000), outside: "away" } as const;
  expect(
    shouldSendAwayMessage(
      { ...usual, closed, ...change },
      { stopped, awayToldAt, sender: "proven", stopUnproven: false },
    ),
  ).toBe(told);
});

describe("an answer is sent without the owner", () => {
  const plan = (kind: "knowledge" | "unknown", confidence: number) => ({ kind, confidence, reason: "…" }) as never;
  const from = { sender: "proven", stopUnproven: false } as const;
  const plain = {
    stopped: false,
    closed: null,
    textless: false,
    unclear: false,
    recentReplies: 0,
    risk: null,
    ...from,
  };
  test("always at «auto», at «confident» when the twin is sure, never at «draft»", () => {
    expect(draftReason("auto", plan("unknown", 0), plain)).toBeNull();
    expect(draftReason("confident", plan("knowledge", CONFIDENT), plain)).toBeNull();
    expect(draftReason("confident", plan("knowledge", CONFIDENT - 0.01), plain)).not.toBeNull();
    expect(draftReason("confident", plan("unknown", 1), plain)).not.toBeNull();
    expect(draftReason("draft", plan("knowledge", 1), plain)).toBe("Каждый ответ ждёт вашего одобрения");
    // When the channel's own level differs, the sentence says that this level is the conversation's.
    expect(draftReason("draft", plan("knowledge", 1), { ...plain, ofConversation: true })).toBe(
      "В этом диалоге вы одобряете каждый ответ",
    );
  });
  test("never while all twins are stopped, nor outside the working hours", () => {
    const closed = { since: now, outside: "draft" } as const;
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, closed })).toBe("Вне рабочих часов");
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, stopped: true })).toBe(ALL_STOPPED);
  });
  test("never to an attachment without words, nor where two programs seem to talk", () => {
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, textless: true })).not.toBeNull();
    expect(draftReason("auto", plan("knowledge", 1), { ...plain, recentReplies: LOOP_REPLIES })).not.toBeNull();
  });
  test("never to a recording or a picture that was read unsurely: asked once at «auto», else left to the owner", () => {
    const unclear = { ...plain, unclear: true };
    for (const autonomy of ["auto", "confident", "draft"] as const) {
      expect(draftReason(autonomy, plan("knowledge", 1), unclear)).not.toBeNull();
      expect(shouldAskToWrite(autonomy, unclear, false)).toBe(autonomy === "auto");
    }
    expect(shouldAskToWrite("auto", unclear, true)).toBe(false);
    expect(shouldAskToWrite("auto", plain, false)).toBe(false);
    expect(shouldAskToWrite("auto", { ...unclear, stopped: true }, false)).toBe(false);
    expect(shouldAskToWrite("auto", { ...unclear, risk: "Речь о суде" }, false)).toBe(false);
    expect([isConfident(CONFIDENCE_THRESHOLD), isConfident(CONFIDENCE_THRESHOLD - 0.01), isConfident(null)]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("never to a letter that has failed the check of its sender, and the owner reads that before all else", () => {
    const forged = { ...plain, sender: "failed", risk: "Речь о суде" } as const;
    for (const autonomy of ["auto", "confident", "draft"] as const)
      expect(draftReason(autonomy, plan("knowledge", 1), forged)).toMatch(/может быть подделкой/);
    expect(shouldAskToWrite("auto", { ...plain, unclear: true, sender: "failed" }, false)).toBe(false);
  });
  test("not where an unproven sender has opted out, unless this sender is proven", () => {
    const held = { ...plain, sender: "unproven", stopUnproven: true } as const;
    expect(draftReason("auto", plan("knowledge", 1), held)).toBe(UNPROVEN_STOP);
    expect(draftReason("auto", plan("knowledge", 1), { ...held, sender: "proven" })).toBeNull();
    expect(draftReason("auto", plan("knowledge", 1), { ...held, stopUnproven: false })).toBeNull();
  });
  test("never on a topic that only the owner may answer, and the reason is given at every level", () => {
    for (const autonomy of ["auto", "confident", "draft"] as const)
      expect(draftReason(autonomy, plan("knowledge", 1), { ...plain, risk: "Речь о суде" })).toBe("Речь о суде");
  });
});

test("an answer waits for an unfinished thought, longer for writers who pause longer, and at most five seconds", () => {
  const asked = quietMs([{ text: "Сколько стоит доставка?", at: 0 }], DEBOUNCE_TIMES);
  const begun = quietMs([{ text: "подскажи", at: 0 }], DEBOUNCE_TIMES);
  expect(asked).toBeLessThan(begun);
  const slow = [
    { text: "а", at: 0 },
    { text: "б", at: 1400 },
  ];
  expect(quietMs(slow, DEBOUNCE_TIMES)).toBe(2800);
  const endless = Array.from({ length: 20 }, (_, place) => ({ text: "и", at: place * 1000 }));
  expect(debounceEnd(endless, DEBOUNCE_TIMES)).toBe(5000);
});

test.each([
  ["СТОП", true],
  ["/stop", true],
  ["Стоп!", true],
  ["Больше не пишите мне.", true],
  ["стоп, а сколько стоит?", false],
  ["Где стоп-кран?", false],
])("%s stops the replies: %s", (text, stops) => {
  expect(isOptOut(text)).toBe(stops);
});

test("/start and «старт» resume the replies", () => {
  expect(["/start", "Старт", "start!"].map(isOptIn)).toEqual([true, true, true]);
  expect(isOptIn("когда старт продаж")).toBe(false);
});
