/** The ledger of acts: each call that a twin has proposed or made, once (docs/decisions/048-tools-and-acts.md). */
import * as z from "zod/mini";
import { EarlierMessage } from "../earlier-message.ts";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";
import { Named } from "./tool-call.ts";

export const ACTS_PAGE = 50;
/** Hours in which the customer may confirm an act, and in which the owner may decide on it. */
export const ACT_HOURS = { customer: 24, owner: 72 };

/**
 * proposed → waiting-customer → waiting-owner → calling → done, refused, failed or unknown. `unknown`: the process died or the connection
 * broke while the system was asked, so nobody knows whether it was done; it is never called again.
 */
export const ActState = z.enum(
  ["proposed", "waiting-customer", "waiting-owner", "calling", "done", "refused", "failed", "unknown"],
  "Неизвестное состояние",
);
export type ActState = z.infer<typeof ActState>;

export const Act = z.object({
  id: z.string(),
  /** null: the tool was deleted. */
  toolId: z.nullable(z.string()),
  title: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  /** null for a trial of an act without a conversation. */
  conversationId: z.nullable(z.string()),
  /** "" in a test chat, which is named by its first message and is of no contact. */
  contactName: z.string(),
  /** `test`: a test chat. */
  platform: z.string(),
  changes: z.boolean(),
  state: ActState,
  arguments: z.array(Named),
  /** What will be sent where: «POST api.example.ru/bookings»; null for a table. */
  target: z.nullable(z.string()),
  /** What the customer was asked and has confirmed; null where nothing was to be confirmed. */
  question: z.nullable(z.string()),
  /** What its owner is asked and answers himself, so that nothing is called; null: a system is called. */
  ownerQuestion: z.nullable(z.string()),
  result: z.array(Named),
  /** Why it was refused, failed or is unknown, as a Russian sentence. */
  reason: z.nullable(z.string()),
  /** Whether it was only shown, in a test chat. */
  dry: z.boolean(),
  createdAt: z.string(),
  /** Who has decided on it, when, and his name; null: nobody was to decide, or has not yet. */
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  decider: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** Cursor of this row: sent as `before`, it requests older ones. */
  cursor: z.string(),
});
export type Act = z.infer<typeof Act>;

export const ActsShown = z.enum(["open", "done", "refused", "failed", "unknown", "dry"], "Неверный запрос");
export type ActsShown = z.infer<typeof ActsShown>;

export const ActsQuery = z.object({
  /** `open`: what waits for the owner, and what he must check (`unknown`). `dry`: only shown, which is not among `done`. */
  show: z.optional(ActsShown),
  twinId: z.optional(z.uuid("Неверный двойник")),
  toolId: z.optional(z.uuid("Неверное действие")),
  conversationId: z.optional(z.uuid("Неверный диалог")),
  before: z.optional(z.string("Неверное место в списке").check(z.regex(/^[1-9]\d{0,14}$/, "Неверное место в списке"))),
});
export type ActsQuery = z.infer<typeof ActsQuery>;

export const FiguresQuery = z.object({
  twinId: z.optional(z.uuid("Неверный двойник")),
  days: z.optional(z.enum(["7", "30", "90"], "Неверный период")),
});

export type FiguresQuery = z.infer<typeof FiguresQuery>;

/** Numbers of acts of contacts; test chats and trials are not counted. */
export const ActFigures = z.object({
  days: z.number(),
  tools: z.array(
    z.object({
      /** null: deleted tools of this title. */
      toolId: z.nullable(z.string()),
      title: z.string(),
      /** All acts, in whatever state. */
      asked: z.number(),
      done: z.number(),
      refused: z.number(),
      failed: z.number(),
      /** Those that nobody knows, which the owner must check. */
      unknown: z.number(),
      waiting: z.number(),
    }),
  ),
});
export type ActFigures = z.infer<typeof ActFigures>;

export const ActSettlement = z.object({
  /** What the owner has found in his system. */
  done: z.boolean("Ожидалось true или false"),
});

export const ActAnswer = z.object({
  text: z
    .string("Введите ответ")
    .check(z.trim(), z.minLength(1, "Введите ответ"), z.maxLength(2000, "Ответ длиннее 2 000 символов")),
});
export type ActAnswer = z.infer<typeof ActAnswer>;

/** Messages that an act's card shows. */
export const MAX_BEFORE_ACT = 3;

export const toolActsApi = {
  list: endpoint("GET /api/acts", {
    access: "signed-in",
    tags: ["acts"],
    summary: `Действия двойников, новые сверху, по ${ACTS_PAGE}`,
    query: ActsQuery,
    output: z.array(Act),
  }),
  before: endpoint("GET /api/acts/:id/messages", {
    access: "signed-in",
    tags: ["acts"],
    summary: `Последние сообщения перед действием, до ${MAX_BEFORE_ACT}, начиная со старшего`,
    params: IdParams,
    output: z.array(EarlierMessage),
  }),
  figures: endpoint("GET /api/acts/figures", {
    access: "signed-in",
    tags: ["acts", "report"],
    summary: "Сколько действий спросили, сделано, отклонено и не удалось",
    query: FiguresQuery,
    output: ActFigures,
  }),
  approve: endpoint("POST /api/acts/:id/approve", {
    access: "editor",
    refreshes: ["acts", "approvals", "conversations", "transcript"],
    summary: "Выполнить действие, которое ждёт решения; вызывается один раз, собеседник узнаёт итог",
    params: IdParams,
    output: Act,
  }),
  answer: endpoint("POST /api/acts/:id/answer", {
    access: "editor",
    refreshes: ["acts", "approvals", "conversations", "transcript"],
    summary: "Ответить на вопрос двойника своими словами; собеседник получает их без изменений, один раз",
    params: IdParams,
    input: ActAnswer,
    output: Act,
  }),
  reject: endpoint("POST /api/acts/:id/reject", {
    access: "editor",
    refreshes: ["acts"],
    summary: "Не выполнять действие; собеседнику об этом пишет владелец",
    params: IdParams,
    output: Act,
  }),
  settle: endpoint("POST /api/acts/:id/settle", {
    access: "editor",
    refreshes: ["acts"],
    summary: "Отметить, выполнено ли действие, о котором это было неизвестно",
    params: IdParams,
    input: ActSettlement,
    output: Act,
  }),
};
