import * as z from "zod/mini";
import { Reply } from "./conversations.ts";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const PairId = z.string("Неверная пара сообщений").check(z.regex(/^[1-9]\d{0,14}$/, "Неверная пара сообщений"));

export const FirstAnswerInput = z
  .object({
    /** `first`: the pair that shows most; `this`: `pairId` itself, which has its answer already if it was asked; `next`: the one behind it, round and round. */
    show: z.enum(["first", "this", "next"], "Какую пару сообщений показать?"),
    pairId: z.optional(PairId),
    /** The test chat that the answer goes into; a new one unless told. */
    conversationId: z.optional(z.uuid("Неверный диалог")),
  })
  .check(
    z.refine(({ show, pairId }) => show === "first" || pairId !== undefined, {
      error: "Неверная пара сообщений",
      path: ["pairId"],
    }),
  );
export type FirstAnswerInput = z.infer<typeof FirstAnswerInput>;

/** A message of the owner's history with the owner's own answer to it. */
export const HistoryPair = z.object({
  id: z.string(),
  incoming: z.string(),
  ownerReply: z.string(),
  contactName: z.string(),
  repliedAt: z.string(),
});
export type HistoryPair = z.infer<typeof HistoryPair>;

export const FirstAnswer = z.object({
  /** null: the history holds no pair to show. */
  pair: z.nullable(HistoryPair),
  /** The twin's answer to `pair.incoming`, given without knowing `pair`; stored as a test chat. */
  reply: z.nullable(Reply),
  /** Whether there are other pairs. */
  more: z.boolean(),
});
export type FirstAnswer = z.infer<typeof FirstAnswer>;

export const firstAnswerApi = {
  create: endpoint("POST /api/digital-twins/:id/first-answer", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Ответ двойника на сообщение из истории рядом с ответом владельца; только для владельца двойника",
    params: IdParams,
    input: FirstAnswerInput,
    output: FirstAnswer,
  }),
};
