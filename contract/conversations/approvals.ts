import * as z from "zod/mini";
import { EarlierMessage } from "../earlier-message.ts";
import { endpoint } from "../endpoint.ts";
import { ChannelPlatform } from "../platforms.ts";
import { DECIDED } from "../tags.ts";
import { TrackRecord } from "../track-record.ts";
import { IdParams } from "../twins.ts";
import { APPROVALS_LIMIT } from "./approvals-limit.ts";
import { Reply, ReplySource } from "./conversations.ts";

export const Approval = z.object({
  id: z.string(),
  conversationId: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  platform: ChannelPlatform,
  contactName: z.string(),
  author: z.enum(["twin", "owner"]),
  /** The contact's message; "" for a message that the owner wrote without being asked. */
  question: z.string(),
  text: z.string(),
  /** Present when the answer quotes its owner's private messages. Other members read a placeholder instead of `text` and cannot decide. */
  hidden: z.optional(z.literal(true)),
  /** `draft`: waits for approval; `unknown`: may have been delivered; `failed`: was not delivered; the other states are decided. */
  state: z.enum(["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"]),
  /** Why the answer waits or what went wrong, as a Russian sentence. */
  reason: z.nullable(z.string()),
  /** 0..1; null for a message that the owner wrote. */
  confidence: z.nullable(z.number()),
  /** Kind of source that the answer is based on. null for the owner's message and when no answer was searched for. */
  basis: z.nullable(Reply.shape.basis),
  sources: z.array(ReplySource),
  createdAt: z.string(),
  /** Until when the approval or rejection can be undone; null when it cannot. */
  undoUntil: z.nullable(z.string()),
  /**
   * How the twin's owner decided on the latest answers of this kind: how many, and how many of them he rewrote or rejected. Absent without a
   * model, and before the first decision.
   */
  track: z.optional(TrackRecord),
  /** Verbatim pieces of `text` that the owner must check, because no source has them. Absent: none. */
  doubtful: z.optional(z.array(z.string())),
  /** How many people have asked the same. Absent when unknown, and for readers other than the twin's owner. */
  people: z.optional(z.number()),
  /** What was called for this answer; absent: nothing, and for readers who may not read the text. */
  calls: Reply.shape.calls,
  scripted: Reply.shape.scripted,
});
export type Approval = z.infer<typeof Approval>;

export const MAX_EARLIER = 3;

export const MAX_PAST_REPLIES = 3;

export const PastReply = z.object({
  /** Name of the contact who received the reply; null for a published reply. */
  contactName: z.nullable(z.string()),
  sameContact: z.boolean(),
  question: z.string(),
  reply: z.string(),
  /** null for a published reply. */
  repliedAt: z.nullable(z.string()),
  /** Ranges of names, phones and addresses in `reply`, in UTF-16 units, ascending. Empty when they are the contact's own. */
  personal: z.array(z.object({ start: z.number(), end: z.number() })),
});
export type PastReply = z.infer<typeof PastReply>;

const WaitingAnswers = z.object({ waiting: z.number() });

export const ApprovalEdit = z.object({
  text: z
    .string("Введите ответ")
    .check(z.trim(), z.minLength(1, "Введите ответ"), z.maxLength(8000, "Ответ длиннее 8 000 символов")),
});
export type ApprovalEdit = z.infer<typeof ApprovalEdit>;

/** How long «Отправить» can be undone, in seconds. */
export const UNDO_SECONDS = 5;

const ApproveQuery = z.object({
  /** "1" delays the answer by UNDO_SECONDS, during which it can be undone. */
  undo: z.optional(z.enum(["1"], "Неверный запрос")),
  /**
   * Scope in which the twin learns the sent text as a correction; only the twin's owner may set it. When absent, the twin learns nothing.
   * "1" is an old value for `contact`.
   */
  teach: z.optional(z.enum(["contact", "everybody", "1"], "Неверный запрос")),
});

export const OwnerMessage = z.object({
  text: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
});
export type OwnerMessage = z.infer<typeof OwnerMessage>;

/** How long the twin stays silent after the owner's last message by default, in minutes. */
export const TAKEOVER_MINUTES = 30;
/** The longest takeover that can be chosen, in days; a longer one has no end time and lasts until it is ended. */
const LONGEST_TAKEOVER_DAYS = 31;

export const TakeoverInput = z.optional(
  z.object({
    /** End of the takeover (ISO 8601); null lets it last until it is ended. */
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
  /** The twin is silent until this time; null while it answers. */
  pausedUntil: z.nullable(z.string()),
});
export type Takeover = z.infer<typeof Takeover>;

export const approvalsApi = {
  ofConversation: endpoint("GET /api/conversations/:id/answers", {
    access: "signed-in",
    tags: ["conversations", "answers"],
    summary: "Что в диалоге ждёт решения, отправляется или не дошло; старое сверху",
    params: IdParams,
    output: z.array(Approval),
  }),
  write: endpoint("POST /api/conversations/:id/messages", {
    access: "editor",
    refreshes: DECIDED,
    summary: "Написать собеседнику самому; двойник после этого молчит",
    status: 201,
    params: IdParams,
    input: OwnerMessage,
    output: Approval,
  }),
  list: endpoint("GET /api/approvals", {
    access: "signed-in",
    tags: ["approvals"],
    summary: `Ответы, которые ждут решения или не дошли: старые сверху, до ${APPROVALS_LIMIT}`,
    output: z.array(Approval),
  }),
  count: endpoint("GET /api/approvals/count", {
    access: "signed-in",
    tags: ["approvals"],
    summary: `Сколько ответов ждёт решения того, кто спрашивает, до ${APPROVALS_LIMIT}`,
    output: WaitingAnswers,
  }),
  earlier: endpoint("GET /api/approvals/:id/earlier", {
    access: "signed-in",
    tags: ["transcript"],
    summary: `Что было сказано в диалоге перед сообщением, на которое написан ответ: до ${MAX_EARLIER}, старые сверху`,
    params: IdParams,
    output: z.array(EarlierMessage),
  }),
  // The path lies outside /api/approvals, so that decisions made in the meantime do not affect this call.
  pastReplies: endpoint("GET /api/past-replies/:id", {
    access: "editor",
    summary: `Что владелец отвечал раньше на сообщение, похожее на то, на которое написан черновик: до ${MAX_PAST_REPLIES}, лучшие сверху`,
    params: IdParams,
    output: z.array(PastReply),
  }),
  ownReplies: endpoint("GET /api/conversations/:id/past-replies", {
    access: "editor",
    tags: ["transcript"],
    summary: `Что владелец отвечал раньше на сообщение, похожее на последнее от собеседника, пока на него не ответили: до ${MAX_PAST_REPLIES}, лучшие сверху`,
    params: IdParams,
    output: z.array(PastReply),
  }),
  edit: endpoint("PUT /api/approvals/:id", {
    access: "editor",
    refreshes: DECIDED,
    summary: "Изменить черновик ответа",
    params: IdParams,
    input: ApprovalEdit,
    output: Approval,
  }),
  approve: endpoint("POST /api/approvals/:id/approve", {
    access: "editor",
    refreshes: DECIDED,
    summary: "Отправить черновик, или ещё раз то, что не дошло",
    params: IdParams,
    query: ApproveQuery,
    output: Approval,
  }),
  undo: endpoint("POST /api/approvals/:id/undo", {
    access: "editor",
    refreshes: DECIDED,
    summary: `Вернуть в черновики то, что отправлено с «undo=1» меньше ${UNDO_SECONDS} секунд назад или отклонено меньше минуты назад`,
    params: IdParams,
    output: Approval,
  }),
  reject: endpoint("POST /api/approvals/:id/reject", {
    access: "editor",
    refreshes: DECIDED,
    summary: "Не отправлять",
    params: IdParams,
    output: Approval,
  }),
  pause: endpoint("POST /api/conversations/:id/pause", {
    access: "editor",
    refreshes: DECIDED,
    summary: `Вести диалог самому: двойник молчит ${TAKEOVER_MINUTES} минут, до названного времени или пока диалог не вернут`,
    params: IdParams,
    input: TakeoverInput,
    output: Takeover,
  }),
  resume: endpoint("POST /api/conversations/:id/resume", {
    access: "editor",
    refreshes: DECIDED,
    summary: "Вернуть диалог двойнику",
    params: IdParams,
    output: Takeover,
  }),
};
