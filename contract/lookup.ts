/** One search over everything that the caller may see, for the command palette. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { searchText } from "./knowledge/search-text.ts";

export const MAX_FOUND = 5;

const words = searchText(200, { missing: "Введите запрос", long: "Слишком длинный запрос" }).check(
  z.minLength(2, "Введите хотя бы две буквы"),
);

/** A result contains all words of `q` or all words of `or`, each as the beginning of a word or in another grammatical form. */
export const LookupQuery = z.object({
  q: words,
  /** The query as typed with the other keyboard layout. */
  or: z.optional(words),
});

/** `excerpt` is the matching words with their surroundings. */
export const LookupResult = z.object({
  contacts: z.array(
    z.object({
      conversationId: z.string(),
      name: z.string(),
      platform: z.string(),
      twinName: z.string(),
      /** The beginning of the last message. */
      lastMessage: z.nullable(z.string()),
      hasDraft: z.boolean(),
    }),
  ),
  messages: z.array(
    z.object({
      id: z.string(),
      conversationId: z.string(),
      name: z.string(),
      platform: z.string(),
      excerpt: z.string(),
    }),
  ),
  documents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      twinName: z.string(),
      excerpt: z.nullable(z.string()),
    }),
  ),
  facts: z.array(z.object({ id: z.string(), question: z.string(), text: z.string(), twinName: z.string() })),
  /** Other grammatical forms of the query's words that occur in the results, in lower case: «доставки» for «доставка». */
  forms: z.array(z.string()),
});
export type LookupResult = z.infer<typeof LookupResult>;

export const lookupApi = {
  find: endpoint("GET /api/search", {
    access: "signed-in",
    summary: `Поиск по собеседникам, сообщениям, документам и подтверждённым фактам, до ${MAX_FOUND} каждого`,
    query: LookupQuery,
    output: LookupResult,
  }),
};
