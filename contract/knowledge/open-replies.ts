import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const MAX_OPENED = 1000;
/** Number of private reply examples that a search returns. */
export const MAX_FOUND = 20;

const id = z.string().check(z.regex(/^[1-9]\d{0,15}$/, "Неверный идентификатор"));

/** A past reply of the owner that answers to every contact may use. */
export const OpenReply = z.object({
  id,
  /** `opened`: published by the owner; `recurring`: sent to several people in nearly the same words. */
  origin: z.enum(["opened", "recurring"]),
  /** Text that search compares with a question; for a recurring reply only words that several people used. */
  question: z.string(),
  reply: z.string(),
  people: z.number(),
  /** `closed` replies are not published; the reply example remains usable in answers to its own contact. */
  state: z.enum(["open", "closed"]),
});
export type OpenReply = z.infer<typeof OpenReply>;

/** A reply example that may be used in answers to its own contact only. */
export const PrivatePair = z.object({
  id,
  contactName: z.string(),
  incoming: z.string(),
  reply: z.string(),
  repliedAt: z.string(),
});
export type PrivatePair = z.infer<typeof PrivatePair>;

export const ReplyProposal = z.object({
  id,
  pair: PrivatePair,
  /** Why the reply is proposed. `said`: `people` contacts received a similar reply; `asked`: `people` contacts asked a similar question. */
  reason: z.enum(["said", "asked"]),
  people: z.number(),
  /** Whether the question can be understood without its conversation. */
  clear: z.boolean(),
});
export type ReplyProposal = z.infer<typeof ReplyProposal>;

export const OpenReplies = z.object({
  counts: z.object({
    replies: z.number(),
    opened: z.number(),
    recurring: z.number(),
    closed: z.number(),
    /** Reply examples that no published or withdrawn reply stands for. */
    private: z.number(),
    proposals: z.number(),
  }),
  /** The newest replies that match the search; closed ones last. */
  replies: z.array(OpenReply),
  /** Replies proposed for publication: clear ones first, then those with most people. Empty during a search. */
  proposals: z.array(ReplyProposal),
  /** Reply examples that only their own contact may get: those that match the search, best first, or the newest. */
  found: z.array(PrivatePair),
});
export type OpenReplies = z.infer<typeof OpenReplies>;

const text = (most: number, name: string) =>
  z
    .string("Ожидалась строка")
    .check(z.trim(), z.minLength(1, `Напишите ${name}`), z.maxLength(most, `Не длиннее ${most} знаков`));

export const LONGEST_OPEN = { question: 300, reply: 700 } as const;

export const OpenInput = z.object({
  pairId: id,
  /** The question with personal data masked. */
  question: text(LONGEST_OPEN.question, "вопрос"),
  /** The reply with personal data masked. */
  reply: text(LONGEST_OPEN.reply, "ответ"),
});
export type OpenInput = z.infer<typeof OpenInput>;

const ReplyParams = z.extend(IdParams, { replyId: id });
const ProposalParams = z.extend(IdParams, { proposalId: id });

export const openRepliesApi = {
  list: endpoint("GET /api/digital-twins/:id/open-replies", {
    access: "signed-in",
    // The tags include facts and corrections because published answers are not proposed again.
    tags: ["twins", "open-replies", "facts", "corrections"],
    summary: "Какие прошлые ответы владельца открыты всем и что он мог бы открыть",
    params: IdParams,
    query: z.object({ q: z.optional(z.string().check(z.maxLength(200, "Не длиннее 200 знаков"))) }),
    output: OpenReplies,
  }),
  open: endpoint("POST /api/digital-twins/:id/open-replies", {
    access: "editor",
    refreshes: ["open-replies"],
    summary: "Открыть ответ всем",
    params: IdParams,
    input: OpenInput,
    output: OpenReply,
    status: 201,
  }),
  update: endpoint("PUT /api/digital-twins/:id/open-replies/:replyId", {
    access: "editor",
    refreshes: ["open-replies"],
    summary: "Закрыть открытый ответ или открыть закрытый",
    params: ReplyParams,
    input: z.object({ open: z.boolean("Ожидалось true или false") }),
    output: OpenReply,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/open-replies/:replyId", {
    access: "editor",
    refreshes: ["open-replies"],
    summary: "Отменить открытие, как будто его не было",
    params: ReplyParams,
  }),
  decide: endpoint("PUT /api/digital-twins/:id/reply-proposals/:proposalId", {
    access: "editor",
    refreshes: ["open-replies"],
    summary: "Больше не предлагать ответ или снова предлагать",
    params: ProposalParams,
    input: z.object({ skipped: z.boolean("Ожидалось true или false") }),
  }),
};
