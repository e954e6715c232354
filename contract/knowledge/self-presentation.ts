/** Who the owner is, as he presents himself: his gender, his role, how he greets and signs. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const LONGEST_SELF = { role: 120, greeting: 120, signature: 200 } as const;

/** `unstated`: the twin shows no gender; `learnt`: the one that his letters show. */
export const StatedGender = z.enum(
  ["female", "male", "unstated", "learnt"],
  "Выберите женский, мужской или «не указан»",
);
export type StatedGender = z.infer<typeof StatedGender>;

const words = (most: number) =>
  z.optional(z.string("Ожидалась строка").check(z.trim(), z.maxLength(most, `Не длиннее ${most} знаков`)));

/** What the owner states himself. Absent: what his letters show holds; an empty text: he has none. */
export const StatedSelf = z.object({
  gender: StatedGender,
  role: words(LONGEST_SELF.role),
  greeting: words(LONGEST_SELF.greeting),
  signature: words(LONGEST_SELF.signature),
});
export type StatedSelf = z.infer<typeof StatedSelf>;

const count = () => z.number().check(z.minimum(0));
const examples = () => z.array(z.string());

/** Learnt from the owner's messages: how many show it, and whether three people have read it, so that everybody may know it. */
const LearntWords = z.object({ text: z.string(), count: count(), isShared: z.boolean() });

export const LANGUAGE_CODES = ["ru", "en", "uk"] as const;
export const ACTS = ["opening", "thanks", "apology", "refusal", "haggling"] as const;

export const SelfPresentation = z.object({
  /** Number of the owner's messages that were read. */
  messages: count(),
  learnt: z.object({
    /** `of`: messages that show either gender. */
    gender: z.nullable(
      z.object({
        value: z.enum(["female", "male"]),
        count: count(),
        of: count(),
        isShared: z.boolean(),
        examples: examples(),
      }),
    ),
    /** What he calls himself in texts that everybody may read; never learnt from letters. */
    role: z.nullable(z.object({ text: z.string(), source: z.enum(["description", "document"]) })),
    greeting: z.nullable(LearntWords),
    signature: z.nullable(LearntWords),
    /** The most frequent first. */
    languages: z.array(z.enum(LANGUAGE_CODES)),
    /** What he does in a conversation at least three times, with its frequent phrases and at most two of his messages. */
    acts: z.array(z.object({ act: z.enum(ACTS), count: count(), phrases: z.array(z.string()), examples: examples() })),
  }),
  stated: StatedSelf,
});
export type SelfPresentation = z.infer<typeof SelfPresentation>;

export const selfPresentationApi = {
  get: endpoint("GET /api/digital-twins/:id/self-presentation", {
    access: "signed-in",
    tags: ["twins", "quality"],
    summary: "Кто владелец: род, роль, приветствие, подпись, языки",
    params: IdParams,
    output: SelfPresentation,
  }),
  update: endpoint("PUT /api/digital-twins/:id/self-presentation", {
    access: "editor",
    refreshes: ["twins", "quality"],
    beforeConfirmation: true,
    summary: "Исправить, кто владелец: это увидят все, кому отвечает двойник",
    params: IdParams,
    input: StatedSelf,
    output: SelfPresentation,
  }),
};
