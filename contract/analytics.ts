import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { ChannelPlatform } from "./integrations/platforms.ts";

/** Twins whose last days the dashboard draws: those that it lists, the newest. */
export const WEEKS_SHOWN = 3;

export const DashboardStats = z.object({
  activeTwins: z.number(),
  dailyMessages: z.number(),
  totalTwins: z.number(),
  totalMessages: z.number(),
  /** Mean fidelity, 0..1, of the twins that have been measured; absent when none has. */
  avgStyleAccuracy: z.optional(z.number()),
  /** Messages that each of the newest twins answered on the last seven days in Moscow time, today last; a twin without any is left out. */
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

/** Number of drafts, conversations and channels that the dashboard names one by one. */
export const WAITING_SHOWN = 3;

/** What waits for the caller's own act, the longest waiting first: at most WAITING_SHOWN of each kind, and how many there are. */
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
        /** The whole answer that is to be sent; "" where the owner must write it. */
        text: z.string(),
        /** Whether the caller may teach the twin what he answers to a `question`: it did not know, and it is his own. */
        mayTeach: z.boolean(),
        /** How many people have asked the same, where the caller may teach it; absent: not known. */
        people: z.optional(z.number()),
        since: z.string(),
      }),
    ),
  }),
  /**
   * Questions that the caller's own twins could not answer: a row for each twin, with the one that most people asked. What a single person
   * asked and waits in his conversation stands among the answers; what several asked, only here.
   */
  gaps: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        twinId: z.string(),
        twinName: z.string(),
        questions: z.number(),
        /** Whether the twin has further ones, which wait among the answers. */
        areMore: z.boolean(),
        gapId: z.string(),
        /** With personal data masked, as `Gap.question`. */
        question: z.string(),
        /** As `Gap.people`. */
        people: z.number(),
        since: z.string(),
      }),
    ),
  }),
  /** Conversations that the owner has taken over, with unread messages. */
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
  /** Disconnected accounts, those that need the owner first; `trouble` reconnects automatically (integrations.ts, `Connection`). */
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
        /** A Russian sentence. */
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
    tags: ["approvals", "conversation-list", "integrations", "gaps"],
    summary:
      "Что ждёт решения того, кто спрашивает: ответы, вопросы без ответа, непрочитанное в его диалогах, каналы без связи",
    output: Waiting,
  }),
  activity: endpoint("GET /api/activity/recent", {
    access: "signed-in",
    tags: ["activity"],
    summary: "Последние события",
    output: z.array(ActivityEntry),
  }),
};
