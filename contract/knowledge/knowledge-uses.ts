/** How many answers of the last 30 days are based on each document or confirmed fact. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const USES_DAYS = 30;

export const KnowledgeUse = z.object({
  /** null for a fact. */
  documentId: z.nullable(z.string()),
  /** Text of the fact that was used; null for a document. */
  fact: z.nullable(z.string()),
  /** Number of answers in conversations that the caller may read. */
  answers: z.number(),
  last: z.object({ conversationId: z.string(), at: z.string() }),
});
export type KnowledgeUse = z.infer<typeof KnowledgeUse>;

export const KnowledgeUses = z.object({
  uses: z.array(KnowledgeUse),
  /** Whether only the latest conversations were counted, because there were too many. */
  atLeast: z.boolean(),
});
export type KnowledgeUses = z.infer<typeof KnowledgeUses>;

export const knowledgeUsesApi = {
  list: endpoint("GET /api/knowledge/uses", {
    access: "signed-in",
    tags: ["documents", "facts"],
    summary: `На чём стояли ответы за ${USES_DAYS} дней: документы и подтверждённые факты`,
    output: KnowledgeUses,
  }),
};
