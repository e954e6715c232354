/** When a twin answers on an integration, and what happens at other times. */
import * as z from "zod/mini";

export const Time = z.string("Укажите время").check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Укажите время"));

/** `day` 1 is Monday. A slot whose `to` is not later than its `from` ends on the next day. */
const Slot = z.object({
  day: z.int("Укажите день").check(z.minimum(1, "Укажите день"), z.maximum(7, "Укажите день")),
  from: Time,
  to: Time,
});

/** IANA time zone, such as «Europe/Moscow». */
export const TimeZone = z
  .string("Выберите часовой пояс")
  .check(z.maxLength(60, "Выберите часовой пояс"), z.refine(isTimeZone, "Выберите часовой пояс"));

const AWAY_REQUIRED = "Напишите, что ответить вне рабочих часов";

export const WorkingHours = z
  .object({
    timeZone: TimeZone,
    slots: z.array(Slot, "Укажите рабочие часы").check(
      z.minLength(1, "Выберите хотя бы один рабочий день"),
      z.refine((slots) => new Set(slots.map(({ day }) => day)).size === slots.length, "Каждый день указывают один раз"),
    ),
    /** `draft`: answers wait for the owner; `silent`: no answer; `away`: `awayText`, sent once to each contact until the next opening. */
    outside: z.enum(["draft", "silent", "away"], "Выберите, что делать вне рабочих часов"),
    awayText: z.string(AWAY_REQUIRED).check(z.trim(), z.maxLength(1000, "Ответ длиннее 1 000 символов")),
  })
  .check(
    z.refine(({ outside, awayText }) => outside !== "away" || awayText !== "", {
      error: AWAY_REQUIRED,
      path: ["awayText"],
    }),
  );
export type WorkingHours = z.infer<typeof WorkingHours>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name !== "";
  } catch {
    return false;
  }
}
