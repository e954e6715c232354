/** The report of /analytics, apart from what every screen asks for. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** Maximum number of days that a report may cover, including today. */
export const ANALYTICS_PERIODS = ["7", "30", "90"] as const;
export type AnalyticsPeriod = (typeof ANALYTICS_PERIODS)[number];

/** The default of `days` is 7. */
export const AnalyticsQuery = z.object({
  days: z.optional(z.enum(ANALYTICS_PERIODS, "Период — 7, 30 или 90 дней")),
  /** Without it, all twins of the organisation. */
  twinId: z.optional(z.uuid("Неверный двойник")),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/** Mean confidence of the twins' complete answers in percent, 0..100; null when there were none. */
const Accuracy = z.nullable(z.number());

const PeriodFigures = z.object({
  /** Number of answered messages, including those whose reader stopped the answer. */
  totalInteractions: z.number(),
  responseAccuracy: Accuracy,
  /** Mean of the ratings given in the period, 1..5; null without ratings. */
  userSatisfaction: z.nullable(z.number()),
  /** Number of these ratings. */
  ratings: z.number(),
  /** Mean time from a question's arrival to its complete answer, seconds; null when it was not measured. */
  avgResponseTime: z.nullable(z.number()),
});
export type PeriodFigures = z.infer<typeof PeriodFigures>;

/** Points of confidence below the usual level from which a day is reported, and the minimum number of answers for that. */
export const DROP_POINTS = 10;
export const DROP_ANSWERS = 5;
/** Conversations with a question without an answer that are named beside such a day. */
export const TALKS_SHOWN = 3;

/** The latest day of the period on which the twins were clearly less sure than on the days before it, and what stands behind it. */
export const ConfidenceDrop = z.object({
  date: z.string(),
  /** Mean confidence of that day's answers, and of all known before it, percent. */
  accuracy: z.number(),
  usual: z.number(),
  answers: z.number(),
  /** The twin whose answers of that day lowered the mean most. */
  twin: z.object({ id: z.string(), name: z.string(), answers: z.number(), accuracy: z.number() }),
  /** Questions of that day that the caller's own twins could not answer; null: none that the caller may see. */
  unanswered: z.nullable(
    z.object({
      questions: z.number(),
      /** Where most of them were asked (`test`: the owner's test chat, while the report is about these), and how many there. */
      platform: z.string(),
      ofPlatform: z.number(),
      /** The twin that most of them were asked. */
      twinId: z.string(),
      /** The latest conversations, at most TALKS_SHOWN. */
      talks: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
export type ConfidenceDrop = z.infer<typeof ConfidenceDrop>;

/** How the messages that went out to customers in the period came about; of very many, the latest. */
export const Handling = z.object({
  /** Answers sent by the twins without approval, not counting «не знаю». */
  alone: z.number(),
  /** Answers of the twins that a member approved, and how many of these he changed before. */
  approved: z.number(),
  changed: z.number(),
  /** Answers sent by the twins without approval that say «не знаю». */
  unknown: z.number(),
  /** Messages that the owner wrote here himself. */
  byOwner: z.number(),
});
export type Handling = z.infer<typeof Handling>;

/** Rows of each of the two lists below. */
export const ASKED_SHOWN = 5;

/** What people asked in the period, so far as it is known without guessing. */
export const Asked = z.object({
  /** The documents on which most answers stood, in conversations that the caller may read. */
  documents: z.array(z.object({ id: z.string(), name: z.string(), answers: z.number() })),
  /** What the caller's own twins could not answer when they were asked: open questions first, then by the number of people. */
  unanswered: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        gapId: z.string(),
        twinId: z.string(),
        twinName: z.string(),
        /** With personal data masked, as `Gap.question`. */
        question: z.string(),
        people: z.number(),
        /** Whether the owner has answered it since, or the twin has learnt it. */
        answered: z.boolean(),
        /** Whether the twin was asked it again since and knew it. */
        known: z.optional(z.boolean()),
      }),
    ),
  }),
});
export type Asked = z.infer<typeof Asked>;

/** Activity of the organisation's twins in the period. Days are calendar days in Moscow time. */
export const Analytics = z.object({
  ...PeriodFigures.shape,
  days: z.number(),
  /** How many of all answers were given in the members' test chats. */
  tests: z.optional(z.number()),
  /** Whether the means are those of the test chats, because no customer has been answered yet; otherwise those of customers alone. */
  ofTests: z.optional(z.boolean()),
  /** The same figures of as many days before the period, for comparison. */
  previous: z.optional(PeriodFigures),
  /** null: confidence did not drop. */
  drop: z.optional(z.nullable(ConfidenceDrop)),
  handling: z.optional(Handling),
  /** One entry for every day of the period, oldest first; `date` is YYYY-MM-DD. */
  dailyStats: z.array(z.object({ date: z.string(), interactions: z.number(), accuracy: Accuracy })),
  /** The five twins with most answers; ties are broken by accuracy. */
  topPerformingTwins: z.array(
    z.object({ id: z.string(), name: z.string(), interactions: z.number(), accuracy: Accuracy }),
  ),
});
export type Analytics = z.infer<typeof Analytics>;

export const reportApi = {
  report: endpoint("GET /api/analytics", {
    access: "signed-in",
    tags: ["report"],
    summary: "Аналитика за 7, 30 или 90 дней, всех двойников или одного",
    query: AnalyticsQuery,
    output: Analytics,
  }),
  asked: endpoint("GET /api/analytics/asked", {
    access: "signed-in",
    tags: ["report", "gaps", "documents"],
    summary: "О чём спрашивали за период: документы, на которых стояли ответы, и вопросы без ответа",
    query: AnalyticsQuery,
    output: Asked,
  }),
};
