/** Times of day as people say them: «в 15:00», «к семи вечера», «пол третьего», «без четверти три». */
import { dayTimesIn } from "#server/knowledge/language/statements/day-times.ts";
import { meaningsOf } from "#server/knowledge/language/statements/numerals.ts";
import { quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";

const HALF_DAY = 720;
const WRITTEN = /(?<![\d.,:])([01]?\d|2[0-3])[:. -]([0-5]\d)(?![\d:]|[.,]\d)/g;
/** «в три дня», «к 7 вечера», which may also be taken for amounts. */
const OF_DAY =
  /(?:^|[^\p{L}])(?:в|к|ко|на|с|до|после|около)\s{1,2}(\p{L}{3,14}|\d{1,2})\s{1,2}(?:час(?:а|ов)?\s{1,2})?(утра|дня|вечера|ночи)(?!\p{L})/gu;
/** «полтретьего», «пол третьего», «половина третьего», «четверть третьего»: of the hour before. */
const OF_HOUR = /(?:^|[^\p{L}])(пол|половин[аеу]\s|четверть\s)\s?(\p{L}{5,14}го)(?!\p{L})/gu;
/** «без четверти три», «без десяти шесть». */
const BEFORE_HOUR =
  /(?:^|[^\p{L}])без\s{1,2}(\p{L}{3,14}|\d{1,2})\s{1,2}(?:минут\s{1,2})?(\p{L}{3,14}|\d{1,2})(?!\p{L})/gu;

/**
 * @param text in lower case, without «ё»
 * @returns times as «15:00» that the text can mean; «в три» is 03:00 and 15:00
 */
export function timesSaid(text: string): Set<string> {
  const said = new Set<string>();
  const add = (minutes: number, sure: boolean) => {
    said.add(timeOf(minutes));
    if (!sure && minutes <= HALF_DAY) said.add(timeOf(minutes + HALF_DAY));
  };
  for (const { minutes, sure } of dayTimesIn(text, quantitiesIn(text))) add(minutes, sure);
  for (const [, hours, minutes] of text.matchAll(WRITTEN)) add(Number(hours) * 60 + Number(minutes), true);
  for (const [, hour, part] of text.matchAll(OF_DAY)) {
    const value = hourOf(hour!);
    if (value !== null) add(((value % 12) + (part === "дня" || part === "вечера" ? 12 : 0)) * 60, true);
  }
  for (const [, part, hour] of text.matchAll(OF_HOUR)) {
    const value = hourOf(hour!);
    if (value !== null) add((value - 1) * 60 + (part!.startsWith("ч") ? 15 : 30), false);
  }
  for (const [, before, hour] of text.matchAll(BEFORE_HOUR)) {
    const [minutes, value] = [before === "четверти" ? 15 : numberOf(before!), hourOf(hour!)];
    if (minutes !== null && minutes < 60 && value !== null) add(value * 60 - minutes, false);
  }
  return said;
}

const timeOf = (minutes: number): string =>
  `${String(Math.floor((minutes % 1440) / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const numberOf = (word: string): number | null => (/^\d/.test(word) ? Number(word) : meaningsOf(word).numeral);

function hourOf(word: string): number | null {
  const value = numberOf(word);
  return value !== null && Number.isInteger(value) && value >= 1 && value <= 12 ? value : null;
}
