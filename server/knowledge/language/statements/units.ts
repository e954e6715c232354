/** Units that can be compared, by their spellings. */
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";

/**
 * `clock`: seconds; `months`: separate, because a month is not 30 days; `money`: in its currency; `factor`: «вдвое»; `free`: «бесплатно».
 */
export type Dimension =
  | "clock"
  | "months"
  | "money"
  | "percent"
  | "mass"
  | "length"
  | "area"
  | "volume"
  | "temperature"
  | "power"
  | "data"
  | "pieces"
  | "people"
  | "times"
  | "factor"
  | "free";

export interface Unit {
  dimension: Dimension;
  /** Size in the smallest unit of its dimension or currency. */
  size: number;
  currency?: string;
}

const UNITS: readonly (readonly [RegExp, Unit])[] = [
  unit("сек|секунд\\p{L}{0,2}", "clock", 1),
  unit("мин|минут\\p{L}{0,3}|min|minutes?", "clock", 60),
  unit("ч|час|часа|часов|часам|часами|часах|часик\\p{L}{0,2}|hours?", "clock", 3600),
  unit("сут|сутки|суток|сутками|дн|день|дня|дней|дням|днями|днях|days?", "clock", 86_400),
  unit("ночь|ночи|ночей|ночами|nights?", "clock", 86_400),
  unit("нед|недел\\p{L}{1,3}|weeks?", "clock", 604_800),
  unit("мес|месяц\\p{L}{0,3}|months?", "months", 1),
  unit("квартал\\p{L}{0,2}", "months", 3),
  unit("год|года|году|годов|годам|лет|летн\\p{L}{2,3}|years?", "months", 12),
  money("руб|рубл\\p{L}{1,3}|р|rub|rur|roubles?|rubles?|₽", "rub"),
  money("коп|копе[ей]\\p{L}{0,3}", "rub", 0.01),
  money("долл|доллар\\p{L}{0,3}|бакс\\p{L}{0,3}|usd|dollars?|\\$", "usd"),
  money("цент\\p{L}{0,3}|cents?", "usd", 0.01),
  money("евро|eur|euros?|€", "eur"),
  money("тенге|kzt|₸", "kzt"),
  money("гривн\\p{L}{1,3}|гривен|грн|uah|₴", "uah"),
  money("юан\\p{L}{1,3}|cny|yuan|¥", "cny"),
  money("фунт\\p{L}{0,3}|gbp|pounds?|£", "gbp"),
  money("бел\\p{L}{0,2}руб\\p{L}{0,3}|byn", "byn"),
  money("сум|сума|сумов|uzs", "uzs"),
  money("сом|сома|сомов|kgs", "kgs"),
  money("лари|gel|₾", "gel"),
  money("драм|драма|драмов|amd|֏", "amd"),
  money("лир|лира|лиры|лирах|try|₺", "try"),
  money(
    "крон|крона|кроны|злот\\p{L}{1,3}|франк\\p{L}{0,2}|йен\\p{L}{0,2}|иен\\p{L}{0,2}|рупи\\p{L}{1,2}|бат|бата|батов|дирхам\\p{L}{0,2}|шекел\\p{L}{1,2}|песо",
    "other",
  ),
  unit("%|процент\\p{L}{0,3}|percent", "percent", 1),
  unit("г|гр|грамм\\p{L}{0,3}|grams?", "mass", 1),
  unit("кг|кило|килограмм\\p{L}{0,3}|kg", "mass", 1000),
  unit("тонн\\p{L}{0,2}", "mass", 1_000_000),
  unit("мм|миллиметр\\p{L}{0,2}", "length", 1),
  unit("см|сантиметр\\p{L}{0,3}|cm", "length", 10),
  unit("м|метр\\p{L}{0,3}|meters?|metres?", "length", 1000),
  unit("км|километр\\p{L}{0,3}|km", "length", 1_000_000),
  unit("дюйм\\p{L}{0,2}|inch|inches", "length", 25.4),
  unit("м²|м2|квадрат\\p{L}{0,3}|квм", "area", 1),
  unit("сотк\\p{L}{1,2}|соток", "area", 100),
  unit("га|гектар\\p{L}{0,2}", "area", 10_000),
  unit("мл|миллилитр\\p{L}{0,2}|ml", "volume", 1),
  unit("л|литр\\p{L}{0,3}|liters?|litres?", "volume", 1000),
  unit("м³|м3|куб\\p{L}{0,3}", "volume", 1_000_000),
  unit("°|°c|градус\\p{L}{0,3}|degrees?", "temperature", 1),
  unit("вт|ватт\\p{L}{0,2}", "power", 1),
  unit("квт|киловатт\\p{L}{0,2}", "power", 1000),
  unit("мб|мегабайт\\p{L}{0,2}|mb", "data", 1),
  unit("гб|гигабайт\\p{L}{0,2}|gb", "data", 1000),
  unit("шт|штук\\p{L}{0,3}|pcs|pieces?", "pieces", 1),
  unit("чел|человек\\p{L}{0,3}|персон\\p{L}{0,3}|гост\\p{L}{1,3}|people|persons?|guests?", "people", 1),
  unit("раз|раза|разу|разов|times", "times", 1),
];

function unit(forms: string, dimension: Dimension, size: number): readonly [RegExp, Unit] {
  return [new RegExp(`^(?:${forms})$`, "u"), { dimension, size }];
}
function money(forms: string, currency: string, size = 1): readonly [RegExp, Unit] {
  return [new RegExp(`^(?:${forms})$`, "u"), { dimension: "money", size, currency }];
}

/** Returns the unit of a word form in lower case with е for ё. Memoised, because texts repeat their words. */
export const unitNamed: (word: string) => Unit | null = memoize(
  MB,
  (word) => UNITS.find(([pattern]) => pattern.test(word))?.[1] ?? null,
  estimateTextBytes,
);

/** Currency signs that precede the number. */
export const MONEY_SIGNS = "$€£¥₽₸₴₾₺";
