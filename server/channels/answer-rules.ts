/** Whether the twin answers a contact at all, and whether the answer goes out by itself. */
import type { Autonomy } from "#contract/integrations.ts";
import type { WorkingHours } from "#contract/working-hours.ts";
import type { ReplyRequest } from "#server/replies/generators/generator.ts";

/** Autonomy «confident»: what is less sure waits for the owner. */
export const CONFIDENT = 0.7;
/** Replies that went out by themselves in a conversation within `LOOP_MS`: beyond, two programs are talking. */
export const LOOP_REPLIES = 20;
export const LOOP_MS = 10 * 60_000;

/** Why an answer waits while the whole organisation's switch is off. */
export const ALL_STOPPED = "Все двойники остановлены";
const CLOSED = "Вне рабочих часов";

export interface Situation {
  twinActive: boolean;
  integrationStatus: "active" | "inactive" | "error";
  autonomy: Autonomy;
  pausedUntil: Date | null;
  optedOutAt: Date | null;
  /** The contact does not want an AI to answer. */
  consentRefused: boolean;
  /** Outside of the working hours: since when, and what is done then. */
  closed: Closed | null;
  now: Date;
}

export interface Closed {
  since: Date;
  outside: WorkingHours["outside"];
}

/** Why nothing is answered, or null. A Russian sentence for the owner. */
export function silence(situation: Situation): string | null {
  const { twinActive, integrationStatus, autonomy, pausedUntil, optedOutAt, consentRefused, closed, now } = situation;
  if (optedOutAt !== null) return "Собеседник попросил больше не писать";
  if (consentRefused) return "Собеседник не согласен, чтобы отвечал ИИ";
  if (pausedUntil !== null && pausedUntil > now) return "Диалог ведёте вы";
  if (!twinActive) return "Двойник приостановлен";
  if (integrationStatus !== "active") return "Интеграция приостановлена";
  if (autonomy === "off") return "Автоответы выключены";
  if (closed !== null && closed.outside !== "draft") return CLOSED;
  return null;
}

/** Whether a contact who is not answered is told that it is closed: once until the next opening, and only if nothing else silences. */
export function tellsAway(
  situation: Situation,
  { stopped, awayToldAt }: { stopped: boolean; awayToldAt: Date | null },
): boolean {
  const { closed } = situation;
  if (stopped || closed?.outside !== "away" || silence(situation) !== CLOSED) return false;
  return awayToldAt === null || awayToldAt < closed.since;
}

export interface DraftSigns {
  stopped: boolean;
  closed: Closed | null;
  textless: boolean;
  recentReplies: number;
  /** As `riskyTopic` gives it. */
  risk: string | null;
}

/** Why the answer waits for the owner, or null when it goes out by itself. A Russian sentence. */
export function draftReason(
  autonomy: Autonomy,
  plan: ReplyRequest["plan"],
  { stopped, closed, textless, recentReplies, risk }: DraftSigns,
): string | null {
  if (stopped) return ALL_STOPPED;
  // Before the level: it says most about the draft.
  if (risk !== null) return risk;
  if (closed !== null) return CLOSED;
  if (autonomy === "draft") return "Каждый ответ ждёт вашего одобрения";
  if (textless) return "Вложение без текста: посмотрите сами";
  if (recentReplies >= LOOP_REPLIES) return "Слишком много ответов подряд: возможно, пишет программа";
  if (plan.held) return plan.reason;
  if (autonomy === "auto") return null;
  if (plan.kind === "unknown") return "Двойник не знает ответа";
  return plan.confidence < CONFIDENT ? "Двойник не уверен в ответе" : null;
}
