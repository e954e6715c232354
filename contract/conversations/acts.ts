/** What is done to one conversation or to several at once: closing, putting off, labels, giving back to the twin. Never sending. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DECIDED } from "../tags.ts";

/** The greatest number of conversations of one call. */
export const ACTS_AT_ONCE = 50;
const LONGEST_SNOOZE_DAYS = 366;

/** Whether a conversation may be put off until then. */
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
          /** «2026-11-25T09:00», by the organisation's clock. */
          z.string().check(z.regex(/^2\d{3}-\d\d-\d\dT\d\d:\d\d$/)),
        ],
        "Выберите время",
      ),
    }),
    /** It is put off no longer. */
    z.object({ kind: z.literal("return") }),
    z.object({ kind: z.literal("label"), labelId: z.uuid("Выберите метку") }),
    z.object({ kind: z.literal("unlabel"), labelId: z.uuid("Выберите метку") }),
    /** The twin answers again where the owner has taken over. */
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

/** The result for one of them; `problem` is null on success. */
export const ActResult = z.object({
  id: z.string(),
  problem: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
export type ActResult = z.infer<typeof ActResult>;

export const SnoozeTimes = z.object({
  /** The organisation's, IANA: of its working hours, else Moscow's. */
  timeZone: z.string(),
  /** Soonest first; `later` is absent late in the day. ISO 8601. */
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
