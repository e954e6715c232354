/** Acts on one or several conversations: closing, snoozing, labels, handing back to the twin. They never send a message. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DECIDED } from "../tags.ts";

export const ACTS_AT_ONCE = 50;
const LONGEST_SNOOZE_DAYS = 366;

/** Whether a conversation may be snoozed until `at` (ms since 1970). */
export const maySnoozeUntil = (at: number): boolean =>
  at > Date.now() && at - Date.now() < LONGEST_SNOOZE_DAYS * 86_400_000;

export const ConversationAct = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("close") }),
    z.object({ kind: z.literal("reopen") }),
    z.object({
      kind: z.literal("snooze"),
      until: z.union(
        [
          z.iso.datetime({ offset: true }),
          /** A local time of the organisation, such as «2026-11-25T09:00». */
          z.string().check(z.regex(/^2\d{3}-\d\d-\d\dT\d\d:\d\d$/)),
        ],
        "Выберите время",
      ),
    }),
    z.object({ kind: z.literal("return") }),
    z.object({ kind: z.literal("label"), labelId: z.uuid("Выберите метку") }),
    z.object({ kind: z.literal("unlabel"), labelId: z.uuid("Выберите метку") }),
    /** Ends the owner's takeover, so that the twin answers again. */
    z.object({ kind: z.literal("hand-back") }),
  ],
  "Неизвестное действие",
);
export type ConversationAct = z.infer<typeof ConversationAct>;

export const ActInput = z.object({
  ids: z
    .array(z.uuid("Неверный диалог"), "Выберите диалоги")
    .check(z.minLength(1, "Выберите диалоги"), z.maxLength(ACTS_AT_ONCE, `Не больше ${ACTS_AT_ONCE} диалогов сразу`)),
  act: ConversationAct,
});
export type ActInput = z.infer<typeof ActInput>;

/** The result for one conversation; `problem` is null on success. */
export const ActResult = z.object({
  id: z.string(),
  problem: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
export type ActResult = z.infer<typeof ActResult>;

export const SnoozeTimes = z.object({
  /** IANA time zone of the organisation: that of its working hours, otherwise Moscow's. */
  timeZone: z.string(),
  /** Suggested times (ISO 8601), soonest first; `later` is absent late in the day. */
  times: z.array(z.object({ name: z.enum(["later", "tomorrow", "next-week"]), at: z.string() })),
});
export type SnoozeTimes = z.infer<typeof SnoozeTimes>;

export const actsApi = {
  act: endpoint("POST /api/conversations/acts", {
    access: "editor",
    refreshes: [...DECIDED, "labels"],
    summary: `Закрыть, отложить, пометить или вернуть двойнику диалоги, до ${ACTS_AT_ONCE}; о каждом, получилось ли. Отказ по единственному диалогу — ошибка вызова`,
    input: ActInput,
    output: z.array(ActResult),
  }),
  snoozeTimes: endpoint("GET /api/conversations/snooze-times", {
    access: "signed-in",
    summary: "До какого времени предлагают отложить, по часам организации",
    output: SnoozeTimes,
  }),
};
