/** The card of a draft in its owner's chat: the question, the twin's answer and the reason to wait; later the decision. */
import type { Approval } from "#contract/conversations/approvals.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { isRejected } from "#server/inbox/approvals/approvals.ts";
import type { Card } from "#server/inbox/channel-protocol/channel.ts";

export type CardAction = "send" | "edit" | "reject";

export interface ShownDraft
  extends Pick<Approval, "contactName" | "platform" | "question" | "text" | "state" | "reason"> {
  twinName: string;
  confidence: number | null;
  /** Whether code worded it for a tool. */
  scripted?: boolean;
  /** The basis of the answer, as in `Approval`. */
  basis: string | null;
}

/** Maximum characters of the parts: together with names and markup they fit Telegram's 4096. */
const QUESTION_CHARS = 700;
const TEXT_CHARS = 2600;
const SHORT_CHARS = 120;
const CUT = " […]";

export const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - CUT.length).toWellFormed()}${CUT}`;

/** The data of a button names the notice, of a draft or of an act. */
export const buttonOf = (label: string, verb: CardAction, noticeId: string) => ({
  label,
  data: `draft:${verb}:${noticeId}`,
});

/** Parses the data of our buttons; null for anything else. */
export function readButton(data: string): { verb: CardAction; noticeId: string } | null {
  const found = /^draft:(send|edit|reject):([0-9a-f-]{36})$/.exec(data);
  return found === null ? null : { verb: found[1] as CardAction, noticeId: found[2]! };
}

export const DELETED_DRAFT_CARD: Card = { title: "Черновик удалён", lines: [], quotes: [], buttons: [] };

/** @param doubtful whether an earlier message with the same draft may already be in the chat */
export function draftCard(draft: ShownDraft, noticeId: string, doubtful: boolean): Card {
  const { contactName, twinName, platform, question, text, state, reason, confidence, basis, scripted } = draft;
  const waits = state === "draft";
  // The owner cannot approve here what the card does not show completely.
  const whole = text.length <= TEXT_CHARS;
  const unanswered = text === "";
  return {
    title: titleOf(draft),
    lines: [
      { label: "Собеседник", text: `${cut(contactName, SHORT_CHARS)}, ${PLATFORM_NAMES[platform]}` },
      { label: "Двойник", text: cut(twinName, SHORT_CHARS) },
      ...(waits && reason !== null ? [{ label: "Почему ждёт", text: cut(reason, 300) }] : []),
      // A quotation claims no answer, and code does not guess, so neither has a confidence.
      ...(waits && confidence !== null && basis !== "quoted" && !scripted
        ? [{ label: "Уверенность", text: `${Math.round(confidence * 100)}\u00A0%` }]
        : []),
      ...(waits && !whole ? [{ label: "Ответ длинный", text: "целиком он на сайте, отправить его можно там" }] : []),
      ...(waits && doubtful ? [{ label: "Повтор", text: "прошлое сообщение могло не дойти" }] : []),
    ],
    quotes: [
      { label: "Вопрос", text: cut(question, QUESTION_CHARS) },
      ...(unanswered ? [] : [{ label: state === "sent" ? "Ответ" : "Ответ двойника", text: cut(text, TEXT_CHARS) }]),
    ],
    buttons: !waits
      ? []
      : [
          ...(whole && !unanswered ? [buttonOf("Отправить", "send", noticeId)] : []),
          buttonOf(unanswered ? "Ответить" : "Изменить", "edit", noticeId),
          buttonOf("Отклонить", "reject", noticeId),
        ],
  };
}

function titleOf({ state, reason }: ShownDraft): string {
  switch (state) {
    case "draft":
      return "Черновик ждёт решения";
    case "pending":
    case "sending":
      return "Ответ отправляется";
    case "sent":
      return "Ответ отправлен";
    case "cancelled":
      return reason === null || isRejected({ state, reason }) ? "Черновик отклонён" : `Черновик отменён: ${reason}`;
    case "unknown":
      return "Неизвестно, дошёл ли ответ: решите на сайте";
    case "failed":
      return `Ответ не отправлен: ${reason ?? "решите на сайте"}`;
  }
}
