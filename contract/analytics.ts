import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { ChannelPlatform } from "./platforms.ts";

/** Number of the newest twins for which the dashboard draws the last seven days. */
export const WEEKS_SHOWN = 3;

export const DashboardStats = z.object({
  activeTwins: z.number(),
  dailyMessages: z.number(),
  totalTwins: z.number(),
  totalMessages: z.number(),
  /** Mean fidelity (0..1) of the measured twins; absent when none is measured. */
  avgStyleAccuracy: z.optional(z.number()),
  /**
   * Number of messages that each of the newest twins answered on the last seven days in Moscow time, today last. Twins without answers are
   * absent.
   */
  weeks: z.optional(z.array(z.object({ twinId: z.string(), answers: z.array(z.number()) }))),
});
export type DashboardStats = z.infer<typeof DashboardStats>;

export const ActivityEntry = z.object({
  id: z.string(),
  type: z.string(),
  twinName: z.string(),
  description: z.string(),
  timestamp: z.string(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const WAITING_SHOWN = 3;

/** What waits for the caller to act, the longest waiting first: at most WAITING_SHOWN of each kind, with the totals. */
export const Waiting = z.object({
  /** Answers to decide on: `draft` waits for approval, `question` for the owner's own words, `undelivered` may not have arrived. */
  answers: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        id: z.string(),
        conversationId: z.string(),
        kind: z.enum(["draft", "question", "undelivered"]),
        contactName: z.string(),
        platform: ChannelPlatform,
        twinName: z.string(),
        /** The contact's message; "" where the owner wrote first. */
        question: z.string(),
        /** The whole answer to be sent; "" where the owner must write it. */
        text: z.string(),
        /** Whether the caller may teach the twin the answer to this `question`: the twin did not know it and is the caller's own. */
        mayTeach: z.boolean(),
        /** How many people have asked the same; absent when unknown or when the caller may not teach it. */
        people: z.optional(z.number()),
        since: z.string(),
      }),
    ),
  }),
  /** Acts of the twins that the caller may change: to be decided, or `unknown` and to be looked at in the system. */
  acts: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        id: z.string(),
        state: z.enum(["waiting-owner", "unknown"]),
        title: z.string(),
        /** «Дата: 2026-12-04, Время: 15:00»; "" without arguments. */
        about: z.string(),
        /** "" for a trial. */
        contactName: z.string(),
        /** `test`: a test chat or a trial. */
        platform: z.string(),
        twinName: z.string(),
        since: z.string(),
      }),
    ),
  }),
  /**
   * Questions that the caller's own twins could not answer: per twin, the one that most people asked. A question of a single person whose
   * conversation waits is listed among the answers instead.
   */
  gaps: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        twinId: z.string(),
        twinName: z.string(),
        questions: z.number(),
        /** Whether the twin has more gaps, which are listed among the answers. */
        areMore: z.boolean(),
        gapId: z.string(),
        /** The question with personal data masked, as in `Gap.question`. */
        question: z.string(),
        /** The message that asked it, masked as well; it differs where it was a follow-up. Absent where an older release answers. */
        said: z.optional(z.string()),
        /** Number of people who asked, as in `Gap.people`. */
        people: z.number(),
        since: z.string(),
      }),
    ),
  }),
  unread: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        conversationId: z.string(),
        contactName: z.string(),
        platform: ChannelPlatform,
        lastMessage: z.string(),
        unread: z.number(),
        since: z.string(),
      }),
    ),
  }),
  /** Disconnected accounts, those that need the owner first. `trouble` reconnects automatically (integrations.ts, `Connection`). */
  channels: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        id: z.string(),
        platform: ChannelPlatform,
        account: z.nullable(z.string()),
        isBot: z.boolean(),
        createdAt: z.string(),
        twinName: z.string(),
        connection: z.enum(["trouble", "action"]),
        /** Why the account is disconnected, as a Russian sentence. */
        reason: z.string(),
      }),
    ),
  }),
});
export type Waiting = z.infer<typeof Waiting>;

export const analyticsApi = {
  dashboard: endpoint("GET /api/dashboard/stats", {
    access: "signed-in",
    tags: ["dashboard"],
    summary: "Показатели панели управления",
    output: DashboardStats,
  }),
  waiting: endpoint("GET /api/dashboard/waiting", {
    access: "signed-in",
    tags: ["approvals", "acts", "conversation-list", "integrations", "gaps"],
    summary:
      "Что ждёт решения того, кто спрашивает: ответы, действия, вопросы без ответа, непрочитанное в его диалогах, каналы без связи",
    output: Waiting,
  }),
  activity: endpoint("GET /api/activity/recent", {
    access: "signed-in",
    tags: ["activity"],
    summary: "Последние события",
    output: z.array(ActivityEntry),
  }),
};
