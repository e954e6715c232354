import * as z from "zod/mini";

const share = () => z.number().check(z.minimum(0), z.maximum(1));
const count = () => z.number().check(z.minimum(0));

/** At most two texts of the owner's own, ≤ 160 characters, without numbers, addresses or links. */
const examples = () => z.array(z.string());
const ranked = () => z.array(z.object({ text: z.string(), count: count() }));

/** How often a habit shows (0..1 of the base that the field names) with the owner's own examples of it. */
const Habit = z.object({ share: share(), examples: examples() });
/** A habit that has forms, the most frequent first. */
const RankedHabit = z.object({ share: share(), top: ranked(), examples: examples() });
const Quartiles = z.object({ p25: count(), median: count(), p75: count() });

/**
 * How an owner writes, measured on the owner's messages. Shares are of all the owner's messages unless said otherwise;
 * an owner without messages has zeros and nulls.
 */
export const StyleProfile = z.object({
  version: z.literal(1),
  /** Owner's messages measured, their turns (bursts without an answer between) and the chats they stand in. */
  messages: count(),
  turns: count(),
  chats: count(),
  /** Of turns: mean number of messages, share of those with several, median sentences, characters. */
  turn: z.object({
    messages: count(),
    several: share(),
    sentences: count(),
    characters: Quartiles,
    examples: examples(),
  }),
  /** Characters per message, median words. */
  length: z.object({ p25: count(), median: count(), p75: count(), words: count(), examples: examples() }),
  /** Of messages that start with a letter. */
  lowerCaseStart: Habit,
  /** Of messages that end in a word or in one full stop. */
  finalFullStop: Habit,
  exclamation: Habit,
  question: Habit,
  ellipsis: Habit,
  /** «)))» and smileys; forms as the owner types them. */
  brackets: RankedHabit,
  emoji: RankedHabit,
  /** familiar (ты) as a share of the messages that address anyone at all. */
  address: z.object({
    addressed: count(),
    familiar: z.nullable(share()),
    prefers: z.nullable(z.enum(["ты", "вы", "mixed"])),
    examples: z.object({ familiar: examples(), polite: examples() }),
  }),
  /** share: of the talks that the owner opens or answers first; back: of the owner's answers to a greeting (null: none met). */
  greetings: z.object({ share: share(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  /** share: of all messages; back: of the owner's answers to a farewell (null: none met). */
  farewells: z.object({ share: share(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  fillers: RankedHabit,
  openers: RankedHabit,
  /** Spellings of speech that the owner keeps («щас», «чё», «спс»). */
  colloquial: RankedHabit,
  /** Set phrases by what they do in a talk, as the owner says them. */
  phrases: z.object({
    thanks: ranked(),
    welcome: ranked(),
    wellbeing: ranked(),
    acknowledgement: ranked(),
    agreement: ranked(),
    unsure: ranked(),
  }),
  /** Per thousand words, the most frequent first. */
  functionWords: z.array(z.object({ text: z.string(), perMille: count() })),
  /** share: messages with a Latin word; letters: Latin letters among all letters. */
  latin: z.object({ share: share(), letters: share(), examples: examples() }),
  /** Which of two spellings the owner takes; null where neither was met. */
  typography: z.object({
    /** ё where it could be е */
    yo: z.nullable(share()),
    /** — or – where it could be - */
    longDash: z.nullable(share()),
    /** « where it could be " */
    guillemets: z.nullable(share()),
  }),
  /** Seconds from the last message to the owner's answer within a session (pauses ≤ 6 h); null without times. */
  replyDelay: z.nullable(Quartiles),
  /** 24 shares of the owner's messages by the hour; null without times. */
  hours: z.nullable(z.array(share())),
});
export type StyleProfile = z.infer<typeof StyleProfile>;
