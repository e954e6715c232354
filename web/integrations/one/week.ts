/** Working hours as form values: for each day of the week, whether it is on and its times. */
import type { WorkingHours } from "#contract/integrations/working-hours.ts";

export interface WeekDay {
  name: string;
  works: boolean;
  from: string;
  to: string;
}

/** Monday first, as in `WorkingHours`. */
const DAYS = ["Понедельник", "Вторник", "Среда", "Четверг", "Пятница", "Суббота", "Воскресенье"];

export function weekOf(hours: WorkingHours | null): WeekDay[] {
  return DAYS.map((name, place) => {
    const slot = hours?.slots.find(({ day }) => day === place + 1);
    const works = hours === null ? place < 5 : slot !== undefined;
    return { name, works, from: slot?.from ?? "09:00", to: slot?.to ?? "18:00" };
  });
}

export const slotsOf = (week: readonly WeekDay[]): WorkingHours["slots"] =>
  week.flatMap(({ works, from, to }, place) => (works ? [{ day: place + 1, from, to }] : []));
