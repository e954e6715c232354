import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const share = () => z.number().check(z.minimum(0), z.maximum(1));
const count = () => z.number().check(z.minimum(0));

/** At most two texts of the owner's own, ≤ 160 characters, without numbers, addresses or links. */
const examples = () => z.array(z.string());
/** people: how many contacts it was used with; absent where that was not counted. */
const ranked = () => z.array(z.object({ text: z.string(), count: count(), people: z.optional(count()) }));

/** The number of cases that the share refers to, where no other field holds it; absent in older profiles. */
const base = () => z.optional(count());

/** How often a habit occurs (0..1 of the base that the field's comment names), with examples in the owner's words. */
const Habit = z.object({ share: share(), of: base(), examples: examples() });
/** A habit that has several forms, the most frequent first. */
const RankedHabit = z.object({ share: share(), top: ranked(), examples: examples() });
const Quartiles = z.object({ p25: count(), median: count(), p75: count() });

/**
 * How an owner writes, measured on the owner's messages. Shares refer to all the owner's messages unless stated otherwise;
 * the profile of an owner without messages holds zeros and nulls.
 */
export const StyleProfile = z.object({
  version: z.literal(1),
  /** Numbers of the owner's messages, of turns (bursts without an answer in between) and of chats that were measured. */
  messages: count(),
  turns: count(),
  chats: count(),
  /** Per turn: mean number of messages, share of turns with several messages, median number of sentences, characters. */
  turn: z.object({
    messages: count(),
    several: share(),
    sentences: count(),
    characters: Quartiles,
    examples: examples(),
  }),
  /** Quartiles of characters per message; `words`: median number of words; `mostWords`: their 90th percentile. */
  length: z.object({
    p25: count(),
    median: count(),
    p75: count(),
    words: count(),
    /** Absent in older profiles. */
    mostWords: z.optional(count()),
    examples: examples(),
  }),
  /** Share of the messages that start with a letter. */
  lowerCaseStart: Habit,
  /** Share of the messages that end in a word or in one full stop. */
  finalFullStop: Habit,
  exclamation: Habit,
  question: Habit,
  ellipsis: Habit,
  /** «)))» and smileys; forms as the owner types them. */
  brackets: RankedHabit,
  emoji: RankedHabit,
  /** `familiar`: share of «ты» among the messages that address anyone; `addressed` is the number of those messages. */
  address: z.object({
    addressed: count(),
    familiar: z.nullable(share()),
    prefers: z.nullable(z.enum(["ты", "вы", "mixed"])),
    examples: z.object({ familiar: examples(), polite: examples() }),
  }),
  /** share: of the sessions, in the owner's first turn; back: of the owner's answers to a greeting (null: there were none). */
  greetings: z.object({ share: share(), of: base(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  /** share: of all messages; back: of the owner's answers to a farewell (null: there were none). */
  farewells: z.object({ share: share(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  fillers: RankedHabit,
  openers: RankedHabit,
  /** Spellings of speech that the owner keeps («щас», «чё», «спс»). */
  colloquial: RankedHabit,
  /** Words that the owner writes much more often than those who write to him, the most telling first; absent in older profiles and in groups. */
  favourites: z.optional(ranked()),
  /** Misspelt words that the owner does not correct, as typed; share of all messages. Absent in older profiles. */
  typos: z.optional(
    z.extend(RankedHabit, {
      /** Messages that mend one of before («*привет»). */
      mended: Habit,
    }),
  ),
  /** Set phrases by what they do in a conversation, as the owner says them. */
  phrases: z.object({
    thanks: ranked(),
    welcome: ranked(),
    wellbeing: ranked(),
    acknowledgement: ranked(),
    agreement: ranked(),
    unsure: ranked(),
  }),
  /** Whole messages that say nothing but such a phrase, as the owner types them; profiles of before have none. */
  setPhrases: z.optional(
    z.object({
      greeting: ranked(),
      farewell: ranked(),
      welcome: ranked(),
      acknowledgement: ranked(),
      unsure: ranked(),
      /** «Уточню и напишу»; profiles of before have none. */
      deferral: z.optional(ranked()),
    }),
  ),
  /** Per thousand words, the most frequent first. */
  functionWords: z.array(z.object({ text: z.string(), perMille: count() })),
  /** share: messages with a Latin word; letters: Latin letters among all letters. */
  latin: z.object({ share: share(), letters: share(), examples: examples() }),
  /** Which of two spellings the owner prefers: the share of the named one; null where neither occurred. */
  typography: z.object({
    /** ё instead of е. */
    yo: z.nullable(share()),
    /** — or – instead of -. */
    longDash: z.nullable(share()),
    /** « instead of ". */
    guillemets: z.nullable(share()),
    /** Number of messages with either spelling; absent in older profiles. */
    of: z.optional(z.object({ yo: count(), longDash: count(), guillemets: count() })),
  }),
  /** Seconds from the last message to the owner's answer within a session (pauses ≤ 6 h); null if the messages have no times. */
  replyDelay: z.nullable(Quartiles),
  /** Shares of the owner's messages by hour of the day, 24 values; null if the messages have no times. */
  hours: z.nullable(z.array(share())),
  /** Examples for the figures above that have no field for them; absent in older profiles. */
  further: z.optional(
    z.object({
      functionWords: examples(),
      typography: examples(),
      /** Answers whose delay is near the median, in seconds. */
      replyDelay: z.array(z.object({ text: z.string(), seconds: count() })),
      /** Messages of the busiest hour, with their time in minutes since midnight. */
      hours: z.array(z.object({ text: z.string(), minutes: count() })),
    }),
  ),
});
export type StyleProfile = z.infer<typeof StyleProfile>;

/** How an owner writes to a group of contacts to whom he writes alike; a small group's figures are smoothed towards the overall ones. */
export const StyleGroup = z.object({
  /** Identifies the group within one profile; another profile may use other keys. */
  key: z.string(),
  address: z.nullable(z.enum(["ты", "вы"])),
  profile: StyleProfile,
});
export type StyleGroup = z.infer<typeof StyleGroup>;

/** The profile over all contacts and, when they differ, over each of at most four groups of contacts, the largest first. */
export const OwnersStyle = z.extend(StyleProfile, { groups: z.optional(z.array(StyleGroup)) });
export type OwnersStyle = z.infer<typeof OwnersStyle>;

/** What there is too little of to measure: the owner's own turns, true replies of the newest conversations, people who write enough. */
const Lacking = z.enum(["own", "held", "people"]);

/** Least of each for a first, rough figure: three contacts and some 250 messages of the owner. */
export const MIN_TO_MEASURE = { own: 40, held: 20, people: 3, ofAPerson: 20 } as const;
/** From here on a figure is no longer rough (engine.md's figures). */
export const ENOUGH_TO_BE_SURE = { own: 100, held: 40, people: 6, ofAPerson: 40 } as const;

/** How like its owner the twin answered conversations that it does not know. Shares are 0..1; figures are null where something lacks. */
export const FidelityMeasure = z.object({
  measuredAt: z.string(),
  /** The twin has learnt something since. */
  outdated: z.boolean(),
  lacking: z.nullable(Lacking),
  /** The figures stand on less than is enough to be sure: the interval is wide. False without figures. */
  rough: z.boolean(),
  figures: z.nullable(
    z.object({
      /** √(verified · indistinguishable), with its 90 % interval */
      value: share(),
      low: share(),
      high: share(),
      /** Mean probability that the owner wrote a block of twenty replies. */
      verified: share(),
      /** 1: told from the owner's true replies no better than the owner's own older messages; 0: as easily as a stranger's. */
      indistinguishable: share(),
      /** What the owner's own older messages reach, and other people's. */
      ceiling: share(),
      floor: share(),
      /** Replies with eight words in a row of the owner's. */
      copyRate: share(),
      /** 0.5 is chance. */
      relevance: share(),
    }),
  ),
  own: count(),
  held: count(),
  people: count(),
});
export type FidelityMeasure = z.infer<typeof FidelityMeasure>;

/** A reply of the twin beside what the owner really answered. */
export const ComparedReply = z.object({
  id: z.string(),
  contactName: z.string(),
  incoming: z.string(),
  ownerReply: z.string(),
  twinReply: z.string(),
});
export type ComparedReply = z.infer<typeof ComparedReply>;

export const TwinQuality = z.object({
  profile: z.nullable(StyleProfile),
  /** To whom the owner writes how; none when he writes to all contacts alike. */
  groups: z.array(
    z.extend(StyleGroup, {
      /** Some of the contacts, those whom the owner wrote most to last. */
      names: z.array(z.string()),
      contacts: count(),
    }),
  ),
  /** The newest; null before the first. */
  measure: z.nullable(FidelityMeasure),
  /** ISO: the last measuring was given up then; null: it was not. */
  failedAt: z.optional(z.nullable(z.string())),
  /** Oldest first; only those with figures. */
  history: z.array(z.object({ measuredAt: z.string(), value: share(), low: share(), high: share() })),
  /** The twin's replies of the newest measure that were least like the owner, the worst first; none that says the owner's very words. */
  worst: z.array(ComparedReply),
  /** Whether there are enough pairs for a blind test. */
  blindTestReady: z.boolean(),
  /** Results of the owner's blind tests: `right` answers of `total`. */
  blindTests: z.array(z.object({ takenAt: z.string(), right: count(), total: count() })),
});
export type TwinQuality = z.infer<typeof TwinQuality>;

export const BLIND_PAIRS = 10;

/** Two replies to one message, the owner's and the twin's, in an order that nothing tells. */
export const BlindPair = z.object({
  id: z.string(),
  contactName: z.string(),
  incoming: z.string(),
  replies: z.tuple([z.string(), z.string()]),
});
export type BlindPair = z.infer<typeof BlindPair>;

export const BlindTest = z.object({ id: z.uuid(), pairs: z.array(BlindPair) });
export type BlindTest = z.infer<typeof BlindTest>;

/** POST: which of the two is taken for the owner's own, for each pair of the test. */
export const BlindAnswers = z.object({
  test: z.uuid("Тест не найден"),
  answers: z
    .array(z.object({ id: z.string().check(z.regex(/^\d{1,18}$/)), choice: z.union([z.literal(0), z.literal(1)]) }))
    .check(z.minLength(1, "Выберите хотя бы один ответ"), z.maxLength(BLIND_PAIRS)),
});
export type BlindAnswers = z.infer<typeof BlindAnswers>;

export const BlindResult = z.object({
  right: count(),
  total: count(),
  /** For each answered pair: which of the two was the owner's. */
  own: z.array(z.object({ id: z.string(), choice: z.union([z.literal(0), z.literal(1)]) })),
});
export type BlindResult = z.infer<typeof BlindResult>;

export const qualityApi = {
  get: endpoint("GET /api/digital-twins/:id/quality", {
    access: "signed-in",
    tags: ["twins", "quality"],
    summary: "Как пишет владелец и насколько похоже отвечает двойник",
    params: IdParams,
    output: TwinQuality,
  }),
  measure: endpoint("POST /api/digital-twins/:id/quality/measure", {
    access: "editor",
    // A job measures; the screen looks until its figures come.
    refreshes: "nothing",
    beforeConfirmation: true,
    summary: "Измерить похожесть заново",
    params: IdParams,
    output: z.object({ queued: z.literal(true) }),
    status: 202,
  }),
  blindTest: endpoint("GET /api/digital-twins/:id/blind-test", {
    access: "signed-in",
    summary: "Слепой тест: какой из двух ответов ваш",
    params: IdParams,
    output: BlindTest,
  }),
  answerBlindTest: endpoint("POST /api/digital-twins/:id/blind-test", {
    access: "editor",
    refreshes: ["quality"],
    beforeConfirmation: true,
    summary: "Ответы слепого теста",
    params: IdParams,
    input: BlindAnswers,
    output: BlindResult,
  }),
};
