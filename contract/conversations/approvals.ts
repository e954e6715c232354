/** Approval of answers by the owner, and takeover of conversations. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ChannelPlatform } from "../integrations/platforms.ts";
import { DECIDED } from "../tags.ts";
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
  /** Who wrote the text. */
  author: z.enum(["twin", "owner"]),
  /** The contact's message; "" for a message that the owner wrote by himself. */
  question: z.string(),
  text: z.string(),
  /** Present where the answer comes from its owner's letters: another member reads a sentence that says so in place of `text`, and cannot decide. */
  hidden: z.optional(z.literal(true)),
  /** draft: waits for approval; unknown: may have been delivered; failed: was not delivered; the others: decided. */
  state: z.enum(["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"]),
  /** Why it waits, or what went wrong; a Russian sentence. */
  reason: z.nullable(z.string()),
  /** 0..1; null for a message that the owner wrote. */
  confidence: z.nullable(z.number()),
  /** The kind of source that the answer is based on, or `unknown`; null for the owner's message and where no answer was searched for. */
  basis: z.nullable(Reply.shape.basis),
  sources: z.array(ReplySource),
  createdAt: z.string(),
  /** Until when the approval or rejection can be undone; null: it cannot. */
  undoUntil: z.nullable(z.string()),
  /** How many people have asked the same; absent: not known, or visible only to the twin's owner. */
  people: z.optional(z.number()),
});
export type Approval = z.infer<typeof Approval>;

export const MAX_EARLIER = 3;

/** A message of the talk before the one that an answer was written to. */
export const EarlierMessage = z.object({
  by: z.enum(["contact", "twin", "owner"]),
  /** Its beginning, where it is long. */
  text: z.string(),
  at: z.string(),
});
export type EarlierMessage = z.infer<typeof EarlierMessage>;

export const MAX_PAST_REPLIES = 3;

/** A past reply of the twin's owner to a similar message. */
export const PastReply = z.object({
  /** Name of the contact who received it; null: it is published. */
  contactName: z.nullable(z.string()),
  /** Whether that is the contact whom the draft is for. */
  sameContact: z.boolean(),
  /** The message that it answered. */
  question: z.string(),
  reply: z.string(),
  /** null: it is published. */
  repliedAt: z.nullable(z.string()),
  /** Ranges of names, phones and addresses in `reply`, in UTF-16 units, ascending; empty where they are the contact's own. */
  personal: z.array(z.object({ start: z.number(), end: z.number() })),
});
export type PastReply = z.infer<typeof PastReply>;

/** Number of drafts that the caller may decide on, at most APPROVALS_LIMIT. */
const WaitingAnswers = z.object({ waiting: z.number() });

export const ApprovalEdit = z.object({
  text: z
    .string("Введите ответ")
    .check(z.trim(), z.minLength(1, "Введите ответ"), z.maxLength(8000, "Ответ длиннее 8 000 символов")),
});
export type ApprovalEdit = z.infer<typeof ApprovalEdit>;

/** How long «Отправить» can be undone, seconds. */
export const UNDO_SECONDS = 5;

const ApproveQuery = z.object({
  /** "1": it is sent after UNDO_SECONDS and can be undone until then. */
  undo: z.optional(z.enum(["1"], "Неверный запрос")),
  /**
   * Once it is sent, the twin learns the text as a correction, for that contact or for all contacts; only for the twin's owner. Absent: it
   * learns nothing. "1", which once meant both, is the contact's.
   */
  teach: z.optional(z.enum(["contact", "everybody", "1"], "Неверный запрос")),
});

/** The owner's own message to a contact. */
export const OwnerMessage = z.object({
  text: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
});
export type OwnerMessage = z.infer<typeof OwnerMessage>;

/** How long the twin is silent after the owner's last message by default, minutes. */
export const TAKEOVER_MINUTES = 30;
/** The longest takeover that can be chosen, days; a longer one lasts until it is ended. */
const LONGEST_TAKEOVER_DAYS = 31;

export const TakeoverInput = z.optional(
  z.object({
    /** ISO 8601; null: until the takeover is ended. */
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
  // A separate path, so that decisions made in the meantime do not affect it.
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
