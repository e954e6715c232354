/** Answers that wait for their owner, and who speaks in a contact's conversation. */
import * as z from "zod/mini";
import { Reply, ReplySource } from "./conversations.ts";
import { endpoint } from "./endpoint.ts";
import { ChannelPlatform } from "./integrations.ts";
import { IdParams } from "./twins.ts";

export const Approval = z.object({
  id: z.string(),
  conversationId: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  platform: ChannelPlatform,
  contactName: z.string(),
  /** Whose words they are. */
  author: z.enum(["twin", "owner"]),
  /** What the contact wrote; "" for the owner's own words. */
  question: z.string(),
  text: z.string(),
  /** draft: waits; unknown: may have been delivered; failed: was not; the others: decided. */
  state: z.enum(["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"]),
  /** A Russian sentence: why it waits, or what went wrong. */
  reason: z.nullable(z.string()),
  /** 0..1; null for the owner's own words. */
  confidence: z.nullable(z.number()),
  /** On what the twin stood, or that it knows no answer; null for the owner's own words, and where no answer was sought. */
  basis: z.nullable(Reply.shape.basis),
  sources: z.array(ReplySource),
  createdAt: z.string(),
  /** A decision that has not gone out yet can be taken back until then. */
  undoUntil: z.nullable(z.string()),
});
export type Approval = z.infer<typeof Approval>;

export const APPROVALS_LIMIT = 100;

export const MOST_PAST_REPLIES = 3;

/** What the twin's owner has answered to the like message before. */
export const PastReply = z.object({
  /** Who got it; null: it is open to all. */
  contactName: z.nullable(z.string()),
  /** That was the very contact whom the draft is for. */
  sameContact: z.boolean(),
  /** What it answered. */
  question: z.string(),
  reply: z.string(),
  /** null: it is open to all. */
  repliedAt: z.nullable(z.string()),
  /** Where names, phones and addresses stand in `reply`, in UTF-16 units, in order; empty where they are the contact's own. */
  personal: z.array(z.object({ start: z.number(), end: z.number() })),
});
export type PastReply = z.infer<typeof PastReply>;

/** How many of them the caller may decide on, APPROVALS_LIMIT at most. */
export const WaitingAnswers = z.object({ waiting: z.number() });
export type WaitingAnswers = z.infer<typeof WaitingAnswers>;

export const ApprovalEdit = z.object({
  text: z
    .string("Введите ответ")
    .check(z.trim(), z.minLength(1, "Введите ответ"), z.maxLength(8000, "Ответ длиннее 8 000 символов")),
});
export type ApprovalEdit = z.infer<typeof ApprovalEdit>;

/** «Отправить» may be taken back for so long, seconds. */
export const UNDO_SECONDS = 5;

export const ApproveQuery = z.object({
  /** "1": it goes out after UNDO_SECONDS, and until then can be taken back. */
  undo: z.optional(z.enum(["1"], "Неверный запрос")),
  /** "1": once it has gone out, the twin answers so by itself; for the twin's owner. */
  teach: z.optional(z.enum(["1"], "Неверный запрос")),
});

/** The owner's own message to a contact. */
export const OwnerMessage = z.object({
  text: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
});
export type OwnerMessage = z.infer<typeof OwnerMessage>;

/** How long the twin is silent after the owner's last message, where he has not chosen otherwise, minutes. */
export const TAKEOVER_MINUTES = 30;
/** The longest that can be chosen, days; longer is «until I give it back». */
const LONGEST_TAKEOVER_DAYS = 31;

export const TakeoverInput = z.optional(
  z.object({
    /** ISO 8601; null: until it is given back. */
    until: z.nullable(
      z.iso
        .datetime({ offset: true, error: "Неверное время" })
        .check(
          z.refine(
            (until) =>
              Date.parse(until) - Date.now() < LONGEST_TAKEOVER_DAYS * 86_400_000 && Date.parse(until) > Date.now(),
            "Время должно быть в будущем, не дальше месяца",
          ),
        ),
    ),
  }),
);
export type TakeoverInput = z.infer<typeof TakeoverInput>;

export const Takeover = z.object({
  conversationId: z.string(),
  /** The twin is silent until then; null: it answers. */
  pausedUntil: z.nullable(z.string()),
});
export type Takeover = z.infer<typeof Takeover>;

export const approvalsApi = {
  ofConversation: endpoint("GET /api/conversations/:id/answers", {
    access: "signed-in",
    summary: "Что в диалоге ждёт решения, отправляется или не дошло; старое сверху",
    params: IdParams,
    output: z.array(Approval),
  }),
  write: endpoint("POST /api/conversations/:id/messages", {
    access: "editor",
    summary: "Написать собеседнику самому; двойник после этого молчит",
    status: 201,
    params: IdParams,
    input: OwnerMessage,
    output: Approval,
  }),
  list: endpoint("GET /api/approvals", {
    access: "signed-in",
    summary: `Ответы, которые ждут решения или не дошли: старые сверху, до ${APPROVALS_LIMIT}`,
    output: z.array(Approval),
  }),
  count: endpoint("GET /api/approvals/count", {
    access: "signed-in",
    summary: `Сколько ответов ждёт решения того, кто спрашивает, до ${APPROVALS_LIMIT}`,
    output: WaitingAnswers,
  }),
  // A path of its own: what is decided on meanwhile changes nothing here.
  pastReplies: endpoint("GET /api/past-replies/:id", {
    access: "editor",
    summary: `Что владелец отвечал раньше на сообщение, похожее на то, на которое написан черновик: до ${MOST_PAST_REPLIES}, лучшие сверху`,
    params: IdParams,
    output: z.array(PastReply),
  }),
  edit: endpoint("PUT /api/approvals/:id", {
    access: "editor",
    summary: "Изменить черновик ответа",
    params: IdParams,
    input: ApprovalEdit,
    output: Approval,
  }),
  approve: endpoint("POST /api/approvals/:id/approve", {
    access: "editor",
    summary: "Отправить черновик, или ещё раз то, что не дошло",
    params: IdParams,
    query: ApproveQuery,
    output: Approval,
  }),
  undo: endpoint("POST /api/approvals/:id/undo", {
    access: "editor",
    summary: `Вернуть в черновики то, что отправлено с «undo=1» меньше ${UNDO_SECONDS} секунд назад`,
    params: IdParams,
    output: Approval,
  }),
  reject: endpoint("POST /api/approvals/:id/reject", {
    access: "editor",
    summary: "Не отправлять",
    params: IdParams,
    output: Approval,
  }),
  pause: endpoint("POST /api/conversations/:id/pause", {
    access: "editor",
    summary: `Вести диалог самому: двойник молчит ${TAKEOVER_MINUTES} минут, до названного времени или пока диалог не вернут`,
    params: IdParams,
    input: TakeoverInput,
    output: Takeover,
  }),
  resume: endpoint("POST /api/conversations/:id/resume", {
    access: "editor",
    summary: "Вернуть диалог двойнику",
    params: IdParams,
    output: Takeover,
  }),
};
