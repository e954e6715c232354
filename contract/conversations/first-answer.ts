import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ANSWERED } from "../tags.ts";
import { IdParams } from "../twins.ts";
import { Reply } from "./conversations.ts";

const PairId = z.string("Неверная пара сообщений").check(z.regex(/^[1-9]\d{0,14}$/, "Неверная пара сообщений"));

export const FirstAnswerInput = z
  .object({
    /**
     * Which exchange to show. `first`: the pair that the twin answers best, otherwise a question that documents or messages answer.
     * `this`: the pair `pairId` or the `question`, with its stored answer if it has one. `next`: the pair after `pairId`, cyclically.
     * `weakest`: the pair that the twin knows least about, preferably not `pairId`; without history, a common question that it cannot
     * answer.
     */
    show: z.enum(["first", "this", "next", "weakest"], "Какую пару сообщений показать?"),
    pairId: z.optional(PairId),
    question: z.optional(
      z
        .string("Введите сообщение")
        .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
    ),
    /** The test chat that stores the answer; when absent, a new one is created. */
    conversationId: z.optional(z.uuid("Неверный диалог")),
  })
  .check(
    z.refine(
      ({ show, pairId, question }) =>
        show === "first" || show === "weakest" || pairId !== undefined || (show === "this" && question !== undefined),
      { error: "Неверная пара сообщений", path: ["pairId"] },
    ),
  );
export type FirstAnswerInput = z.infer<typeof FirstAnswerInput>;

/** A message from the imported history with the owner's own answer to it. */
export const HistoryPair = z.object({
  id: z.string(),
  incoming: z.string(),
  ownerReply: z.string(),
  contactName: z.string(),
  repliedAt: z.string(),
});
export type HistoryPair = z.infer<typeof HistoryPair>;

export const FirstAnswer = z.object({
  /** null when the history has no suitable pair; with `more`, when the twin answers no pair well. */
  pair: z.nullable(HistoryPair),
  question: z.optional(z.string()),
  /** The twin's answer to `question` or to `pair.incoming`, generated without knowledge of the pair and stored in a test chat. */
  reply: z.nullable(Reply),
  more: z.boolean(),
  /** Whether the owner has corrected this answer; `reply` may be older than the correction. */
  taught: z.boolean(),
});
export type FirstAnswer = z.infer<typeof FirstAnswer>;

export const firstAnswerApi = {
  create: endpoint("POST /api/digital-twins/:id/first-answer", {
    access: "editor",
    refreshes: [...ANSWERED, "transcript"],
    beforeConfirmation: true,
    summary: "Ответ двойника на сообщение из истории рядом с ответом владельца; только для владельца двойника",
    params: IdParams,
    input: FirstAnswerInput,
    output: FirstAnswer,
  }),
};
