import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

/** So many people must have been told the like before it is open by itself. */
export const RECURRING_PEOPLE = 3;
export const MOST_OPENED = 1000;

const id = z.string().check(z.regex(/^[1-9]\d{0,15}$/, "Неверный идентификатор"));

/** What of the owner's past replies everybody may be told. */
export const OpenReply = z.object({
  id,
  /** opened: by the owner; recurring: said to several people in nearly the same words. */
  origin: z.enum(["opened", "recurring"]),
  /** What it is found by; of a recurring one words alone that several asked with. */
  question: z.string(),
  reply: z.string(),
  /** Who got it. */
  people: z.number(),
  /** A closed one is said to nobody by it; its own contact still gets the pair itself. */
  state: z.enum(["open", "closed"]),
});
export type OpenReply = z.infer<typeof OpenReply>;

/** A pair that is its contact's alone. */
export const PrivatePair = z.object({
  /** Of the pair. */
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
  /** said: so many people were told the like; asked: so many asked the like. */
  reason: z.enum(["said", "asked"]),
  people: z.number(),
});
export type ReplyProposal = z.infer<typeof ReplyProposal>;

export const OpenReplies = z.object({
  counts: z.object({
    /** The owner's replies in all. */
    replies: z.number(),
    opened: z.number(),
    recurring: z.number(),
    closed: z.number(),
    proposals: z.number(),
  }),
  /** The newest, of those that hold the words looked for; closed ones last. */
  replies: z.array(OpenReply),
  /** Some, of the most people first; none where words are looked for. */
  proposals: z.array(ReplyProposal),
  /** Pairs of the history on the words looked for, best first; none without such words. */
  found: z.array(PrivatePair),
});
export type OpenReplies = z.infer<typeof OpenReplies>;

const text = (most: number, name: string) =>
  z
    .string("Ожидалась строка")
    .check(z.trim(), z.minLength(1, `Напишите ${name}`), z.maxLength(most, `Не длиннее ${most} знаков`));

export const LONGEST_OPEN = { question: 300, reply: 700 } as const;

export const OpenInput = z.object({
  /** The pair whose reply is opened. */
  pairId: id,
  /** As everybody may read them. */
  question: text(LONGEST_OPEN.question, "вопрос"),
  reply: text(LONGEST_OPEN.reply, "ответ"),
});
export type OpenInput = z.infer<typeof OpenInput>;

const ReplyParams = z.extend(IdParams, { replyId: id });
const ProposalParams = z.extend(IdParams, { proposalId: id });

export const openRepliesApi = {
  list: endpoint("GET /api/digital-twins/:id/open-replies", {
    access: "signed-in",
    summary: "Какие прошлые ответы владельца открыты всем и что он мог бы открыть",
    params: IdParams,
    query: z.object({ q: z.optional(z.string().check(z.maxLength(200, "Не длиннее 200 знаков"))) }),
    output: OpenReplies,
  }),
  open: endpoint("POST /api/digital-twins/:id/open-replies", {
    access: "editor",
    summary: "Открыть ответ всем",
    params: IdParams,
    input: OpenInput,
    output: OpenReply,
    status: 201,
  }),
  update: endpoint("PUT /api/digital-twins/:id/open-replies/:replyId", {
    access: "editor",
    summary: "Закрыть открытый ответ или открыть закрытый",
    params: ReplyParams,
    input: z.object({ open: z.boolean("Ожидалось true или false") }),
    output: OpenReply,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/open-replies/:replyId", {
    access: "editor",
    summary: "Отменить открытие, как будто его не было",
    params: ReplyParams,
  }),
  decide: endpoint("PUT /api/digital-twins/:id/reply-proposals/:proposalId", {
    access: "editor",
    summary: "Больше не предлагать ответ или снова предлагать",
    params: ProposalParams,
    input: z.object({ skipped: z.boolean("Ожидалось true или false") }),
  }),
};
