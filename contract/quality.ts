import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const share = () => z.number().check(z.minimum(0), z.maximum(1));
const count = () => z.number().check(z.minimum(0));

/** At most two of the owner's own messages, up to 160 characters each, without numbers, addresses or links. */
const examples = () => z.array(z.string());
/** `people` is the number of contacts it was used with; it is absent where that was not counted. */
const ranked = () => z.array(z.object({ text: z.string(), count: count(), people: z.optional(count()) }));

/** Number of cases that the share refers to, where no other field holds it; absent in older profiles. */
const base = () => z.optional(count());

/** How often a habit occurs, as a share (0..1) of the messages that the field's comment names. */
const Habit = z.object({ share: share(), of: base(), examples: examples() });
/** A habit with several forms, the most frequent first. */
const RankedHabit = z.object({ share: share(), top: ranked(), examples: examples() });
export const Quartiles = z.object({ p25: count(), median: count(), p75: count() });
export type Quartiles = z.infer<typeof Quartiles>;

/** How the owner does one thing in a conversation: in how many messages, and with which phrases. */
const SocialHabit = z.object({ count: count(), top: ranked(), examples: examples() });

/** What the owner's messages say of himself. */
const OwnSigns = z.object({
  /** Messages that speak of their author in the `female` or the `male` gender. */
  gender: z.object({ signs: ranked(), examples: z.object({ female: examples(), male: examples() }) }),
  /** Last lines of messages that may be a signature, with the closing above them. */
  signatures: ranked(),
  /** Codes of the languages of whole sentences: `ru`, `en`, `uk`. */
  languages: ranked(),
  /** `haggling` counts the owner's answers to a request for a lower price. */
  acts: z.object({ thanks: SocialHabit, apology: SocialHabit, refusal: SocialHabit, haggling: SocialHabit }),
});

/**
 * How an owner writes, measured on the owner's messages. Shares refer to all the owner's messages unless a field says otherwise.
 * The profile of an owner without messages holds zeros and nulls.
 */
export const StyleProfile = z.object({
  version: z.literal(1),
  /** Number of the owner's messages. */
  messages: count(),
  /** Number of the owner's turns: bursts without an answer in between. */
  turns: count(),
  /** Number of measured chats. */
  chats: count(),
  /** Figures per turn: mean number of messages, share of turns with several messages, median number of sentences, and characters. */
  turn: z.object({
    messages: count(),
    several: share(),
    sentences: count(),
    characters: Quartiles,
    examples: examples(),
  }),
  /** Message length: quartiles of characters; `words` is the median number of words, `mostWords` its 90th percentile. */
  length: z.object({
    p25: count(),
    median: count(),
    p75: count(),
    words: count(),
    mostWords: z.optional(count()),
    examples: examples(),
  }),
  lowerCaseStart: Habit,
  finalFullStop: Habit,
  exclamation: Habit,
  question: Habit,
  ellipsis: Habit,
  /** Bracket smileys such as «)))», in the forms that the owner types. */
  brackets: RankedHabit,
  emoji: RankedHabit,
  /** `familiar` is the share of «ты» among the `addressed` messages, which address the contact as «ты» or «вы». */
  address: z.object({
    addressed: count(),
    familiar: z.nullable(share()),
    prefers: z.nullable(z.enum(["ты", "вы", "mixed"])),
    examples: z.object({ familiar: examples(), polite: examples() }),
  }),
  /** `share`: sessions whose first turn of the owner has a greeting; `back`: the owner's answers to a greeting, null if there were none. */
  greetings: z.object({ share: share(), of: base(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  /** `share`: messages with a farewell; `back`: the owner's answers to a farewell, null if there were none. */
  farewells: z.object({ share: share(), back: z.nullable(share()), top: ranked(), examples: examples() }),
  fillers: RankedHabit,
  openers: RankedHabit,
  /** Colloquial spellings that the owner uses («щас», «чё», «спс»). */
  colloquial: RankedHabit,
  /**
   * Words that the owner writes much more often than the contacts do, the most distinctive first. Absent in older profiles and in groups.
   */
  favourites: z.optional(ranked()),
  /** Absent in older profiles and in groups. */
  self: z.optional(OwnSigns),
  /** Misspelt words that the owner leaves uncorrected, as typed, as a share of all messages. Absent in older profiles. */
  typos: z.optional(
    z.extend(RankedHabit, {
      /** Messages that correct a typo of the previous message («*привет»). */
      mended: Habit,
    }),
  ),
  /** Set phrases by their function in a conversation, in the owner's wording. */
  phrases: z.object({
    thanks: ranked(),
    welcome: ranked(),
    wellbeing: ranked(),
    acknowledgement: ranked(),
    agreement: ranked(),
    unsure: ranked(),
  }),
  /** Messages that consist of one set phrase, as the owner types them; absent in older profiles. */
  setPhrases: z.optional(
    z.object({
      greeting: ranked(),
      farewell: ranked(),
      welcome: ranked(),
      acknowledgement: ranked(),
      unsure: ranked(),
      /** Promises to answer later, such as «Уточню и напишу»; absent in older profiles. */
      deferral: z.optional(ranked()),
    }),
  ),
  /** Function words by frequency per thousand words, the most frequent first. */
  functionWords: z.array(z.object({ text: z.string(), perMille: count() })),
  /** `share`: messages with a Latin word; `letters`: Latin letters among all letters. */
  latin: z.object({ share: share(), letters: share(), examples: examples() }),
  /** For each pair of spellings, the share of the named one; null if the owner used neither. */
  typography: z.object({
    yo: z.nullable(share()),
    longDash: z.nullable(share()),
    guillemets: z.nullable(share()),
    /** Number of messages with either spelling of the pair; absent in older profiles. */
    of: z.optional(z.object({ yo: count(), longDash: count(), guillemets: count() })),
  }),
  /** Seconds from the contact's last message to the owner's answer within a session (pauses up to 6 h); null if messages have no times. */
  replyDelay: z.nullable(Quartiles),
  /** Shares of the owner's messages by hour of the day, 24 values; null if messages have no times. */
  hours: z.nullable(z.array(share())),
  /** Examples for figures above that hold none themselves; absent in older profiles. */
  further: z.optional(
    z.object({
      functionWords: examples(),
      typography: examples(),
      /** Answers whose delay, in seconds, is near the median. */
      replyDelay: z.array(z.object({ text: z.string(), seconds: count() })),
      hours: z.array(z.object({ text: z.string(), minutes: count() })),
    }),
  ),
});
export type StyleProfile = z.infer<typeof StyleProfile>;

/** How an owner writes to a group of contacts to whom he writes alike. A small group's figures are smoothed towards the overall ones. */
export const StyleGroup = z.object({
  /** Identifies the group within one profile only: another profile may use other keys. */
  key: z.string(),
  address: z.nullable(z.enum(["ты", "вы"])),
  profile: StyleProfile,
});
export type StyleGroup = z.infer<typeof StyleGroup>;

/** The profile over all contacts and, when they differ, over at most four groups of contacts, the largest first. */
export const OwnersStyle = z.extend(StyleProfile, { groups: z.optional(z.array(StyleGroup)) });
export type OwnersStyle = z.infer<typeof OwnersStyle>;

/** Data that is too scarce to measure fidelity: the owner's turns, true replies of the newest conversations, people who write enough. */
const Lacking = z.enum(["own", "held", "people"]);

/** Minimum amounts for a first, rough fidelity figure: about 250 messages of the owner to three contacts. */
export const MIN_TO_MEASURE = { own: 40, held: 20, people: 3, ofAPerson: 20 } as const;
/** Amounts of data from which a fidelity figure is no longer rough. */
export const ENOUGH_TO_BE_SURE = { own: 100, held: 40, people: 6, ofAPerson: 40 } as const;

/** Fidelity measured on conversations that the twin does not know. Shares are 0..1; `figures` is null while data is lacking. */
export const FidelityMeasure = z.object({
  measuredAt: z.string(),
  outdated: z.boolean(),
  lacking: z.nullable(Lacking),
  /** Whether there is too little data for a reliable figure, so that the interval is wide; false without figures. */
  rough: z.boolean(),
  figures: z.nullable(
    z.object({
      /** Fidelity, √(verified · indistinguishable), with its 90 % interval. */
      value: share(),
      low: share(),
      high: share(),
      /** Mean probability, over blocks of twenty replies, that the owner wrote the block. */
      verified: share(),
      /** 1: as hard to distinguish from the owner's true replies as the owner's own older messages; 0: as easy as a stranger's. */
      indistinguishable: share(),
      /** Reference values of fidelity: `ceiling` of the owner's own older messages, `floor` of other people's. */
      ceiling: share(),
      floor: share(),
      /** Share of replies that repeat eight consecutive words of the owner's messages. */
      copyRate: share(),
      /** How well replies fit their questions; 0.5 is chance. */
      relevance: share(),
    }),
  ),
  own: count(),
  held: count(),
  people: count(),
  /** Name of the model that answered; null: none. Absent, like `handedOver`, where an older release answers. */
  model: z.optional(z.nullable(z.string())),
  /** Messages that the twin left to its owner, beside the `held` ones whose replies were compared. */
  handedOver: z.optional(count()),
});
export type FidelityMeasure = z.infer<typeof FidelityMeasure>;

/** A reply of the twin beside the owner's true answer to the same message. */
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
  /** Groups of contacts by how the owner writes to them; empty when he writes to all contacts alike. */
  groups: z.array(
    z.extend(StyleGroup, {
      names: z.array(z.string()),
      contacts: count(),
    }),
  ),
  /** The newest fidelity measurement of what contacts read, whom the owner has answered; null before the first. */
  measure: z.nullable(FidelityMeasure),
  /** The newest one of what strangers read; null before the first. Measured after the contacts' when these have figures. */
  strangers: z.optional(z.nullable(FidelityMeasure)),
  /** When the last measurement was abandoned (ISO 8601); null if it was completed. */
  failedAt: z.optional(z.nullable(z.string())),
  /** Measurements that have figures, oldest first. */
  history: z.array(z.object({ measuredAt: z.string(), value: share(), low: share(), high: share() })),
  /** Replies of the newest measurement that are least like the owner, the worst first, without verbatim copies of the owner's words. */
  worst: z.array(ComparedReply),
  blindTestReady: z.boolean(),
  /** Results of the owner's blind tests: `right` correct guesses out of `total`. */
  blindTests: z.array(z.object({ takenAt: z.string(), right: count(), total: count() })),
});
export type TwinQuality = z.infer<typeof TwinQuality>;

export const BLIND_PAIRS = 10;

/** The owner's reply and the twin's to one message. Their order is random, so that it does not reveal the author. */
export const BlindPair = z.object({
  id: z.string(),
  contactName: z.string(),
  incoming: z.string(),
  replies: z.tuple([z.string(), z.string()]),
});
export type BlindPair = z.infer<typeof BlindPair>;

export const BlindTest = z.object({ id: z.uuid(), pairs: z.array(BlindPair) });
export type BlindTest = z.infer<typeof BlindTest>;

/** For each pair of the test, the reply that the owner takes for his own. */
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
    // A background job measures; the screen polls until the figures arrive.
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
