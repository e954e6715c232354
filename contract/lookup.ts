/** One search over what the caller may see, for the palette. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { searchText } from "./knowledge/search-text.ts";

/** The most of each kind. */
export const MAX_FOUND = 5;

const words = searchText(200, { missing: "Введите запрос", long: "Слишком длинный запрос" }).check(
  z.minLength(2, "Введите хотя бы две буквы"),
);

/** What is found holds all words of one of both, each at the beginning of a word, or forms of them. */
export const LookupQuery = z.object({
  q: words,
  /** The same keys on the other keyboard layout. */
  or: z.optional(words),
});

/** `excerpt`: the words and what stands around them. */
export const LookupResult = z.object({
  contacts: z.array(
    z.object({
      conversationId: z.string(),
      name: z.string(),
      platform: z.string(),
      twinName: z.string(),
      /** What was said last, its beginning. */
      lastMessage: z.nullable(z.string()),
      /** An answer waits for its owner. */
      hasDraft: z.boolean(),
    }),
  ),
  /** The newest of each conversation. */
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
      /** null: it was found by its name. */
      excerpt: z.nullable(z.string()),
    }),
  ),
  /** Of the caller's own twins. */
  facts: z.array(z.object({ id: z.string(), question: z.string(), text: z.string(), twinName: z.string() })),
  /** Other forms of the words that stand in what was found, in small letters: «доставки» for «доставка». */
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
