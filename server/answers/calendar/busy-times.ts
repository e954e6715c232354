/** Reads the events of a calendar in threads with limits (event-reader.ts). */
import { ReadingLimitExceeded, ReadingThreads } from "#server/platform/untrusted-text/threads.ts";
import { CalendarTrouble } from "./calendar-trouble.ts";
import type { BusyAnswer, EventsTask } from "./event-reader.ts";

const threads = new ReadingThreads<EventsTask, BusyAnswer>({
  file: new URL("event-reader.ts", import.meta.url),
  withinMs: 10_000,
});

/** @param whose the organisation. @throws CalendarTrouble for more than can be counted */
export async function busyTimes(whose: string, task: EventsTask): Promise<[number, number][]> {
  const answer = await threads.read(whose, task).catch((cause: unknown) => {
    if (!(cause instanceof ReadingLimitExceeded)) throw cause;
    throw new CalendarTrouble("refused", "Календарь слишком запутанный, чтобы найти свободное время", { cause });
  });
  if ("refusal" in answer) throw new CalendarTrouble("refused", answer.refusal);
  return answer.busy;
}
