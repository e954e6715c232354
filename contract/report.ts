/** Report of /analytics. It is separate from analytics.ts so that other screens do not load it. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const ANALYTICS_PERIODS = ["7", "30", "90"] as const;
export type AnalyticsPeriod = (typeof ANALYTICS_PERIODS)[number];

export const AnalyticsQuery = z.object({
  days: z.optional(z.enum(ANALYTICS_PERIODS, "Период — 7, 30 или 90 дней")),
  /** The report covers one twin, or all twins of the organisation when this is absent. */
  twinId: z.optional(z.uuid("Неверный двойник")),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/** Mean confidence of the twins' complete answers in percent, 0..100; null when there are no answers. */
const Accuracy = z.nullable(z.number());

const PeriodFigures = z.object({
  /** Number of answered messages, including answers that the reader stopped. */
  totalInteractions: z.number(),
  responseAccuracy: Accuracy,
  /** Mean of the ratings given in the period, 1..5; null without ratings. */
  userSatisfaction: z.nullable(z.number()),
  ratings: z.number(),
  /** Mean time in seconds from a question's arrival to its complete answer; null when it was not measured. */
  avgResponseTime: z.nullable(z.number()),
});
export type PeriodFigures = z.infer<typeof PeriodFigures>;

/** A day is reported when its confidence is DROP_POINTS below the usual level and it has at least DROP_ANSWERS answers. */
export const DROP_POINTS = 10;
export const DROP_ANSWERS = 5;
/** Number of conversations with an unanswered question that are listed for a day with low confidence. */
export const TALKS_SHOWN = 3;

/** The latest day of the period with clearly lower confidence than the days before it, and the likely cause. */
export const ConfidenceDrop = z.object({
  date: z.string(),
  /** Mean confidence in percent: `accuracy` of that day's answers, `usual` of all known answers before it. */
  accuracy: z.number(),
  usual: z.number(),
  answers: z.number(),
  twin: z.object({ id: z.string(), name: z.string(), answers: z.number(), accuracy: z.number() }),
  /** Questions of that day that the caller's own twins could not answer; null when the caller may see none. */
  unanswered: z.nullable(
    z.object({
      questions: z.number(),
      /** Platform where most of these questions were asked. `test` is the owner's test chat, when the report covers these. */
      platform: z.string(),
      /** Number of questions that were asked there. */
      ofPlatform: z.number(),
      twinId: z.string(),
      talks: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
export type ConfidenceDrop = z.infer<typeof ConfidenceDrop>;

/** How the messages that were sent to contacts in the period came about. Very long periods count only the latest messages. */
export const Handling = z.object({
  /** Answers that twins sent without approval, not counting «не знаю». */
  alone: z.number(),
  /** Answers of the twins that a member approved; `changed` counts those that were edited first. */
  approved: z.number(),
  changed: z.number(),
  /** Answers «не знаю» that twins sent without approval. */
  unknown: z.number(),
  byOwner: z.number(),
});
export type Handling = z.infer<typeof Handling>;

export const ASKED_SHOWN = 5;

export const Asked = z.object({
  /** The documents that most answers are based on, in conversations that the caller may read. */
  documents: z.array(z.object({ id: z.string(), name: z.string(), answers: z.number() })),
  /** Questions that the caller's own twins could not answer: open ones first, then by the number of people. */
  unanswered: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        gapId: z.string(),
        twinId: z.string(),
        twinName: z.string(),
        /** The question with personal data masked, as in `Gap.question`. */
        question: z.string(),
        people: z.number(),
        /** Whether the owner has answered the question since, or the twin has learnt the answer. */
        answered: z.boolean(),
        /** Whether the twin has answered the question when it was asked again. */
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
  tests: z.optional(z.number()),
  /** Whether the means cover test chats because no contact has been answered yet; otherwise they cover contacts alone. */
  ofTests: z.optional(z.boolean()),
  /** The same figures for an equally long period before this one, for comparison. */
  previous: z.optional(PeriodFigures),
  /** null when confidence did not drop. */
  drop: z.optional(z.nullable(ConfidenceDrop)),
  handling: z.optional(Handling),
  /** One entry for every day of the period, oldest first; `date` is YYYY-MM-DD. */
  dailyStats: z.array(z.object({ date: z.string(), interactions: z.number(), accuracy: Accuracy })),
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
