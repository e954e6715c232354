import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const share = () => z.number().check(z.minimum(0), z.maximum(1));
const count = () => z.number().check(z.minimum(0));

/** At most two texts of the owner's own, ≤ 160 characters, without numbers, addresses or links. */
const examples = () => z.array(z.string());
/** people: with how many people it was used; absent where nobody has counted. */
const ranked = () => z.array(z.object({ text: z.string(), count: count(), people: z.optional(count()) }));

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
  /** Words misspelt and left so, as the owner types them; share of all messages. Profiles of before have none. */
  typos: z.optional(
    z.extend(RankedHabit, {
      /** Messages that mend one of before («*привет»). */
      mended: Habit,
    }),
  ),
  /** Set phrases by what they do in a talk, as the owner says them. */
  phrases: z.object({
    thanks: ranked(),
    welcome: ranked(),
    wellbeing: ranked(),
    acknowledgement: ranked(),
    agreement: ranked(),
    unsure: ranked(),
  }),
  /** Whole messages that say nothing but such a phrase, as the owner types them; profiles of before have none. */
  sayings: z.optional(
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
  /** Examples of the figures that have no place for them; profiles of before have none. */
  further: z.optional(
    z.object({
      functionWords: examples(),
      typography: examples(),
      /** Answers that took about as long as half of them do; seconds. */
      replyDelay: z.array(z.object({ text: z.string(), seconds: count() })),
      /** Of the busiest hour; minutes of the day. */
      hours: z.array(z.object({ text: z.string(), minutes: count() })),
    }),
  ),
});
export type StyleProfile = z.infer<typeof StyleProfile>;

/** How an owner writes to contacts to whom he writes alike, drawn towards the whole where it has little. */
export const StyleGroup = z.object({
  /** The same in one profile only. */
  key: z.string(),
  address: z.nullable(z.enum(["ты", "вы"])),
  profile: StyleProfile,
});
export type StyleGroup = z.infer<typeof StyleGroup>;

/** Of everybody, and apart of each of at most four groups of contacts, the largest first; without groups everybody is written to alike. */
export const OwnersStyle = z.extend(StyleProfile, { groups: z.optional(z.array(StyleGroup)) });
export type OwnersStyle = z.infer<typeof OwnersStyle>;

/** What there is too little of to measure: the owner's own turns, true replies of the newest talks, people who write enough. */
export const Lacking = z.enum(["own", "held", "people"]);

/** Least of each for a measure (engine.md's figures). */
export const LEAST_TO_MEASURE = { own: 100, held: 40, people: 6, ofAPerson: 40 } as const;

/** How like its owner the twin answered talks that it does not know. Shares are 0..1; figures are null where something lacks. */
export const FidelityMeasure = z.object({
  measuredAt: z.string(),
  /** The twin has learnt something since. */
  outdated: z.boolean(),
  lacking: z.nullable(Lacking),
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
  /** To whom the owner writes how; none when he writes to everybody alike. */
  groups: z.array(
    z.extend(StyleGroup, {
      /** Some of the contacts, those whom the owner wrote most to last. */
      names: z.array(z.string()),
      contacts: count(),
    }),
  ),
  /** The newest; null before the first. */
  measure: z.nullable(FidelityMeasure),
  /** Oldest first; only those with figures. */
  history: z.array(z.object({ measuredAt: z.string(), value: share(), low: share(), high: share() })),
  /** The twin's replies of the newest measure that were least like the owner, the worst first. */
  worst: z.array(ComparedReply),
  /** Of the owner's blind tests. */
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
    summary: "Как пишет владелец и насколько похоже отвечает двойник",
    params: IdParams,
    output: TwinQuality,
  }),
  measure: endpoint("POST /api/digital-twins/:id/quality/measure", {
    access: "editor",
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
    beforeConfirmation: true,
    summary: "Ответы слепого теста",
    params: IdParams,
    input: BlindAnswers,
    output: BlindResult,
  }),
};
