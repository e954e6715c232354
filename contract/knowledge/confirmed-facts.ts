/** Published facts of the caller's twins: those confirmed from the correspondence, and those taught by correcting an answer. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const ConfirmedFact = z.object({
  id: z.string(),
  digitalTwinId: z.string(),
  digitalTwinName: z.string(),
  question: z.string(),
  rewordings: z.array(z.string()),
  text: z.string(),
  fromLetters: z.boolean(),
  active: z.boolean(),
  createdAt: z.string(),
});
export type ConfirmedFact = z.infer<typeof ConfirmedFact>;

export const ConfirmedFacts = z.object({
  facts: z.array(ConfirmedFact),
  waiting: z.array(z.object({ digitalTwinId: z.string(), digitalTwinName: z.string(), facts: z.number() })),
});
export type ConfirmedFacts = z.infer<typeof ConfirmedFacts>;

export const MAX_CONFIRMED_FACTS = 1000;

export const confirmedFactsApi = {
  list: endpoint("GET /api/knowledge/facts", {
    access: "signed-in",
    tags: ["twins", "facts", "corrections", "open-replies"],
    summary: "Подтверждённые факты своих двойников и сколько ещё ждут решения",
    output: ConfirmedFacts,
  }),
};
