/** Decides when the twin stays silent, drafts or sends, for messages that need an answer (load-burst.ts). The functions are pure. */
import type { Autonomy } from "#contract/integrations/integrations.ts";
import type { WorkingHours } from "#contract/integrations/working-hours.ts";
import type { TrackRecord } from "#contract/track-record.ts";
import { arePlainAnswersSent } from "#server/answers/replies/calibration.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import type { SenderTrust } from "./sender-trust.ts";

/** Autonomy «confident»: answers with less confidence wait for the owner. */
export const CONFIDENT = 0.7;
/** Automatic replies to a contact within `LOOP_MS`, beyond which two programs seem to be talking to each other. */
export const LOOP_REPLIES = 20;
export const LOOP_MS = 10 * 60_000;

/** The reason in drafts while the organisation's stop switch is on. */
export const ALL_STOPPED = "Все двойники остановлены";
/** The reason in drafts of the level «confident» whose answer is not sure enough. */
export const UNSURE = "Двойник не уверен в ответе";
const CLOSED = "Вне рабочих часов";
const FORGED = "Письмо не прошло проверку отправителя и может быть подделкой: ответьте сами";
/** The reason in drafts for an address in whose name an unproven sender has opted out. */
export const UNPROVEN_STOP = "С этого адреса просят больше не писать, но отправитель не подтверждён: решите сами";

export interface AnswerSituation {
  twinActive: boolean;
  integrationStatus: "active" | "inactive" | "error";
  autonomy: Autonomy;
  pausedUntil: Date | null;
  optedOutAt: Date | null;
  consentRefused: boolean;
  /** The present closed hours: their start and the chosen reaction; null: open. */
  closed: ClosedHours | null;
  now: Date;
}

export interface ClosedHours {
  since: Date;
  outside: WorkingHours["outside"];
}

/** Returns why nothing is answered, a Russian sentence for the owner; null: the twin answers. */
export function silenceReason(situation: AnswerSituation): string | null {
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

/** The trust in the sender, and unproven opt-outs in the sender's name. */
export interface SenderSignals {
  sender: SenderTrust;
  /** Whether an unproven sender has opted this address out of replies. */
  stopUnproven: boolean;
}

/** Returns why nothing may be sent automatically to the sender's address; null if sending is allowed. */
function senderObstacle({ sender, stopUnproven }: SenderSignals): string | null {
  if (sender === "failed") return FORGED;
  return sender === "unproven" && stopUnproven ? UNPROVEN_STOP : null;
}

/** Returns whether an unanswered contact gets the away message: once until the next opening, and only if nothing else silences the twin. */
export function shouldSendAwayMessage(
  situation: AnswerSituation,
  { stopped, awayToldAt, ...from }: { stopped: boolean; awayToldAt: Date | null } & SenderSignals,
): boolean {
  const { closed } = situation;
  if (senderObstacle(from) !== null) return false;
  if (stopped || closed?.outside !== "away" || silenceReason(situation) !== CLOSED) return false;
  return awayToldAt === null || awayToldAt < closed.since;
}

interface DraftSignals extends SenderSignals {
  stopped: boolean;
  closed: ClosedHours | null;
  textless: boolean;
  /** Whether a recording or picture was recognised unreliably, or not at all although a reader is configured. */
  unclear: boolean;
  recentReplies: number;
  /** The reason from `escalationTopic`, or null. */
  risk: string | null;
  /** Whether the level is the conversation's own and may differ from its channel's. */
  ofConversation?: boolean;
}

/**
 * Returns why the answer waits for the owner, a Russian sentence; null: it is sent without approval. Every member reads it, so it repeats
 * no word of the answer: those are in `Plan.reason`, which is as secret as the answer.
 */
export function draftReason(
  autonomy: Autonomy,
  plan: ReplyRequest["plan"],
  { stopped, closed, textless, unclear, recentReplies, risk, ofConversation = false, ...from }: DraftSignals,
): string | null {
  if (stopped) return ALL_STOPPED;
  // The member who decides must first know that the sender may be an impostor.
  const obstacle = senderObstacle(from);
  if (obstacle !== null) return obstacle;
  // The topic is checked before the level, because it says most about the draft.
  if (risk !== null) return risk;
  if (closed !== null) return CLOSED;
  if (autonomy === "draft")
    return ofConversation ? "В этом диалоге вы одобряете каждый ответ" : "Каждый ответ ждёт вашего одобрения";
  if (unclear) return "Вложение распознано неуверенно: проверьте сами";
  if (textless) return "Вложение без текста: посмотрите сами";
  if (recentReplies >= LOOP_REPLIES) return "Слишком много ответов подряд: возможно, пишет программа";
  if (plan.held) return "Ответ модели нужно проверить";
  if (autonomy === "auto") return null;
  if (plan.kind === "unknown") return plan.action ? "Просят о действии" : "Двойник не знает ответа";
  return plan.confidence < (plan.sentFrom ?? CONFIDENT) ? UNSURE : null;
}

/** Whether the twin's exam judges answers like this one as a kind: they have no probability, and the owner has not written them himself. */
export const isJudgedByExam = (
  { kind, sentFrom }: Pick<ReplyRequest["plan"], "kind" | "sentFrom">,
  { corrected }: Pick<ReplyRequest, "corrected">,
): boolean => sentFrom === undefined && !corrected && (kind === "knowledge" || kind === "recurring");

/** Returns why an answer that could be sent waits at «confident» because of the twin's exam, a Russian sentence; null: it is sent. */
export function examReason(
  autonomy: Autonomy,
  plan: ReplyRequest["plan"],
  request: Pick<ReplyRequest, "corrected">,
  plain: TrackRecord,
): string | null {
  if (autonomy !== "confident" || !isJudgedByExam(plan, request) || arePlainAnswersSent(plain)) return null;
  return `На экзамене вы приняли ${plain.decided - plain.corrected} из ${plain.decided} таких ответов`;
}

/**
 * Returns whether the twin asks the contact to write what was not recognised reliably. Only a fully automatic twin asks, and only once;
 * otherwise the owner decides.
 */
export function shouldAskToWrite(
  autonomy: Autonomy,
  { stopped, closed, unclear, recentReplies, risk, ...from }: DraftSignals,
  hasJustAsked: boolean,
): boolean {
  return (
    autonomy === "auto" &&
    unclear &&
    !hasJustAsked &&
    !stopped &&
    closed === null &&
    risk === null &&
    senderObstacle(from) === null &&
    recentReplies < LOOP_REPLIES
  );
}
