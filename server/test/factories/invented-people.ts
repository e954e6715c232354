/** People with habits of writing of their own, who all speak of the same things. */
import { seededRandom } from "#server/platform/random/seeded-random.ts";

interface Habits {
  opener: readonly string[];
  end: readonly string[];
  /** Starts its messages with a small letter. */
  lower: boolean;
  filler: string;
}

export const OWNER: Habits = {
  opener: ["ну", "слушай,", "кстати"],
  end: [")))", "", " ага"],
  lower: true,
  filler: "короче",
};

const OPENERS = [
  ["добрый день,", "прошу:"],
  ["а", "вот"],
  ["ой,", "блин"],
  ["так,", "итак,"],
];
const ENDS = [["!!!", "?"], ["...", "…"], [" :)", "."], ["."]];
const FILLERS = ["пожалуйста", "значит", "типа", "вообще-то"];

/** Eight others, no two alike. */
export const OTHERS: readonly Habits[] = Array.from({ length: 8 }, (_, at) => ({
  opener: OPENERS[at % 4]!,
  end: ENDS[(at + Math.floor(at / 4)) % 4]!,
  lower: at % 2 === 0,
  filler: FILLERS[at % 4]!,
}));

const SUBJECTS = ["поезд", "отчёт", "заказ", "ключ", "дом", "договор", "ужин", "билет", "сервер", "звонок"];
const VERBS = [
  "готов",
  "опоздал",
  "пришёл",
  "потерялся",
  "нужен завтра",
  "стоит дорого",
  "ещё не проверен",
  "у соседа",
];

/** Messages of a person; the same for the same seed. */
export function messagesOf({ opener, end, lower, filler }: Habits, count: number, seed: string): string[] {
  const random = seededRandom(seed);
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: count }, () => {
    const middle = random() < 0.4 ? ` ${filler}` : "";
    const tail = random() < 0.3 ? `, ${pick(SUBJECTS)} тоже` : "";
    const text = `${pick(opener)} ${pick(SUBJECTS)}${middle} ${pick(VERBS)}${tail}${pick(end)}`;
    return lower ? text : `${text[0]!.toUpperCase()}${text.slice(1)}`;
  });
}
