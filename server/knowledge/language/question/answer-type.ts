/** Determines the type of answer that a question asks for, and whether a sentence contains such an answer. */
import { NUMBER } from "../slots.ts";
import { wordsOf } from "../words/lexicon.ts";

export type AnswerType =
  | "money"
  | "clock"
  | "hours"
  | "day"
  | "duration"
  | "number"
  | "share"
  | "place"
  | "person"
  | "phone"
  | "email"
  | "reason"
  | "yesNo";

const lines = (source: string) => source.split("\n").map((line) => line.trim());
const any = (source: string) => new RegExp(`(?<!\\p{L})(?:${lines(source).join("|")})(?!\\p{L})`, "iu");

const ASKS: [AnswerType, RegExp][] = [
  ["email", any(String.raw`(?:e-?mail|имейл|емейл|(?:электронн\p{L}+\s+)?почт[ауы])`)],
  ["phone", any(String.raw`(?:номер\s+)?телефон\p{L}*|(?:куда|как)\s+(?:\p{L}+\s+)?(?:по|до)?звонить`)],
  ["share", any(String.raw`скидк\p{L}+|процент\p{L}*|на\s*сколько\s+(?:\p{L}+\s+)?(?:дешевле|дороже)`)],
  [
    "money",
    any(String.raw`поч[её]м|стои(?:т|ть|ло|мость\p{L}*)|стоят|цен[ауые]|прайс|расценк\p{L}+|тариф\p{L}*|за\s+сколько\s+(?:\p{L}+\s+)?(?:отда|прода|купи|усту|возьм)\p{L}*|по\s+ско(?:лько|ка)|во\s+сколько\s+(?:\p{L}+\s+)?обойд[её]тся
обойд[её]тся|чего\s+стоит|сколько\s+(?:\p{L}+\s+)?(?:платить|заплатить|денег|рублей|скидываться|скидываемся|за)|how\s+much|price|cost|costs|fee`),
  ],
  [
    "clock",
    any(
      String.raw`(?:во|до|со?|к|после|около)\s+ско(?:лько|льки|ка|льких)|в\s+котором\s+часу|(?:до|с|в)\s+как(?:ого|ие|ое|их)\s+(?:час\p{L}*|врем\p{L}*)|который\s+час|what\s+time`,
    ),
  ],
  [
    "hours",
    any(String.raw`в\s+какие\s+часы|час\p{L}*\s+работы|график\p{L}*|режим\p{L}*|расписани\p{L}+|opening\s+hours`),
  ],
  [
    "duration",
    any(String.raw`(?:сколько|ск[оа]ка|за\s+сколько|через\s+сколько|за\s+какое)\s+(?:\p{L}+\s+){0,3}?(?:дней|дня|часов|времени|время|недель|месяцев|минут|суток|лет|ждать|ехать|хранит\p{L}*|храните|ид[её]т|лежит|действует|занимает|держать|варить|длит\p{L}*)
за\s+сколько(?!\s+(?:\p{L}+\s+)?(?:отда|прода|купи|усту|возьм))|как\s+(?:долго|скоро|быстро)|(?:какой|какие|каков[ыа]?|за\s+какой)\s+(?:\p{L}+\s+)?срок\p{L}*|срок\p{L}*|how\s+long`),
  ],
  [
    "day",
    any(
      String.raw`когда|в\s+како[йе]\s+(?:день|дату|месяц\p{L}*|году)|како(?:го|е)\s+числ[оа]|по\s+каким\s+дням|в\s+какие\s+дни|с\s+какого|when|what\s+(?:day|date|year)`,
    ),
  ],
  [
    "number",
    any(
      String.raw`сколько|ск[оа]ка|на\s*сколько|скольк\p{L}+|какой\s+(?:\p{L}+\s+)?(?:размер|вес|рост|объ[её]м|тираж|лимит|минимальн\p{L}+|номер|код|пароль)|какого\s+размера|какую\s+температуру|номер|код|how\s+many|how\s+old`,
    ),
  ],
  [
    "place",
    any(
      String.raw`где|куда|откуда|адрес\p{L}*|как\s+(?:\p{L}+\s+)?(?:доехать|добраться|пройти|найти|проехать)|в\s+каком\s+(?:городе|районе|месте)|на\s+какой\s+улице|находит\p{L}*|where|address`,
    ),
  ],
  ["person", any(String.raw`кто|кого|кому|как\s+(?:\p{L}+\s+)?зовут|who|whom`)],
  ["reason", any(String.raw`почему|зачем|отчего|из-за\s+чего|why`)],
];

/** Returns the answer types that a text asks for; of several time types only the most exact; empty if any sentence may answer. */
export function askedTypes(text: string): AnswerType[] {
  const found = new Set(ASKS.flatMap(([type, pattern]) => (pattern.test(text) ? [type] : [])));
  if (["money", "clock", "duration", "share", "phone"].some((type) => found.has(type as AnswerType)))
    found.delete("number");
  if (found.has("hours") || found.has("duration") || found.has("money")) found.delete("clock");
  if (found.has("hours")) found.delete("duration");
  if (found.has("duration") && !/поч[её]м|цен|стои/iu.test(text)) found.delete("money");
  if (found.has("place") && found.has("person")) found.delete("person");
  return [...found];
}

const MONTH = String.raw`(?:январ|феврал|март|апрел|ма[яей]|июн|июл|август|сентябр|октябр|ноябр|декабр)\p{L}*|(?:january|february|march|april|may|june|july|august|september|october|november|december|century|centuries)`;
const NUMBER_WORD = String.raw`(?:один|одна|одно|одну|два|две|двух|три|тр[её]х|четыр\p{L}{1,20}|пят[ьи]|шест[ьи]|сем[ьи]|восем\p{L}{0,20}|девят[ьи]|десят[ьи]|\p{L}{1,20}надцат[ьи]|двадцат[ьи]|тридцат[ьи]|сорок|сто|тысяч\p{L}{0,20}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|half|several|полтор[аы]|пол\p{L}{1,20}|раз(?:а)?)`;
const UNIT_OF_TIME = String.raw`(?:дн(?:я|ей|и)|день|сут(?:ок|ки)|час(?:а|ов|у|ам)?|минут\p{L}*|недел\p{L}+|месяц\p{L}*|год(?:а|у)?|лет|секунд\p{L}*|(?:second|minute|hour|day|week|month|year|decade|centur)\w*)`;
const MEASURED = new RegExp(
  String.raw`(?:\d|(?<!\p{L})${NUMBER_WORD})\s{0,5}(?:[-–—]\s{0,5}\d{1,9}\s{0,5}|-\p{L}{1,30}\s{1,5})?(?:\p{L}{1,30}\s{1,5})?${UNIT_OF_TIME}(?!\p{L})|(?<!\p{L})(?:за\s+)?(?:час|сутки|неделю|месяц|год|полчаса|минуту)(?!\p{L})`,
  "iu",
);
const numberWord = new RegExp(String.raw`(?<!\p{L})${NUMBER_WORD}(?!\p{L})`, "iu");

const SUM = /\d[\d \u00a0]{0,20}(?:[.,]\d{1,6})?\s{0,3}(?:₽|руб|р\.)/giu;

/** Text that resembles the type but often is something else. */
const NEARLY: Partial<Record<AnswerType, RegExp>> = {
  money: /(?<!\p{L})(?:рубл\p{L}+|бесплатн\p{L}+|даром)(?!\p{L})/iu,
  day: MEASURED,
  number: /\d/u,
};

const DAY = new RegExp(
  String.raw`(?<!\p{L})(?:понедельник|вторник|сред[уаые]|среда(?:м|х)|четверг|пятниц|суббот|воскресень|будн|выходн|ежедневно|сегодня|завтра|послезавтра|${MONTH}|зим|весн|лет(?:ом|о)|осен|сразу|следующ|раз в|не раньше|день в день)\p{L}*|(?:1[5-9]|20)\d\d|\d{1,2}[:.]\d\d|в день (?!рожд)`,
  "iu",
);

const HOLDS: Record<AnswerType, (text: string) => boolean> = {
  money: (text) => /\d\s*(?:₽|р\.?(?!\p{L})|руб|тыс|т\.р|k(?!\p{L})|\$|€|%|рубл|dollars|euro)|[$€£]\s?\d/iu.test(text),
  hours: (text) =>
    /\d{1,2}(?:[:.]\d\d)?\s*(?:до|[-–—])\s*\d{1,2}(?:[:.]\d\d)|(?<!\p{L})с\s+\d{1,2}\s+до\s+\d|круглосуточн|(?<!\p{L})(?:to|until)\s+\d/iu.test(
      text,
    ),
  clock: (text) =>
    /\d{1,2}[:.]\d\d|(?:с|до|в|к|после)\s+\d{1,2}(?:\s*(?:час|утра|вечера|дня|ночи)|\s+до\s+\d)|круглосуточн|(?<!\p{L})(?:полдень|полночь)|[сдвк]о?\s+(?:шести|семи|восьми|девяти|десяти|одиннадцати|двенадцати|трёх|трех|пяти)(?!\p{L})|\d\s*(?:am|pm)/iu.test(
      text,
    ),
  day: (text) => DAY.test(text),
  duration: (text) => MEASURED.test(text) || /(?:до|с)\s+\d{1,2}:\d\d/u.test(text),
  number: (text) => {
    const counts = text.replace(SUM, " ");
    return counts.search(NUMBER) >= 0 || numberWord.test(counts);
  },
  share: (text) => /\d\s*%|процент/iu.test(text),
  place: (text) =>
    /(?<!\p{L})(?:улиц|ул\.|набережн|проезд|проспект|шоссе|переул|площад|дом|домой|дома|город|адрес|участок|остановк|метро|подъезд|этаж|вход|находится|лежит|лежат|стоит|магазин|склад|офис|пункт|шкаф|ящик|балкон|двор|за углом|рядом|сайт|кабинет|терминал|гараж|чат)\p{L}*|(?<!\p{L})(?:в|во|на|у|за|под|из|до|возле|около)\s+(?:«|"|\p{Lu})|(?<!\p{L})(?:под|над|за|в|на)\s+\p{L}+(?:ом|ой|ей|ем|ами|е)(?!\p{L})|\d\s*км|@|(?<!\p{L})(?:in|at|on|near)\s+(?:the\s+)?\p{Lu}/u.test(
      text,
    ) || /(?<!\p{L})(?:улиц|ул\.|набережн|проезд|проспект|шоссе|переул|магазин|склад)\p{L}*/iu.test(text),
  person: (text) =>
    /(?<=[\p{L},:–—-]\s|[«"(])\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+|(?<!\p{L})(?:мы|я|сам|сами|менеджер|директор|курьер|покупатель|клиент|получатель|владелец|продавец|мастер|тот|кто|начальник)(?!\p{L})/u.test(
      text,
    ),
  phone: (text) => /\+?\d[\d\s()-]{6,}\d/u.test(text),
  email: (text) => /\S@\S/u.test(text),
  reason: (text) =>
    /(?<!\p{L})(?:потому|так как|поскольку|из-за|чтобы|благодаря|ввиду|because|since|due to|in order to)(?!\p{L})|: /iu.test(
      text,
    ),
  yesNo: () => true,
};

export type TypeFits = Partial<Record<AnswerType, number>>;

/**
 * Returns how well a sentence fits the requested types: from 1 (contains all) to −1 (none); 0 when none is requested.
 * @param fits cache of this sentence; results are added to it
 */
export function typeFit(types: readonly AnswerType[], sentence: string, fits: TypeFits): number {
  let sum = 0;
  let telling = 0;
  for (const type of types) {
    if (type === "yesNo") continue;
    fits[type] ??= fitOf(type, sentence);
    sum += fits[type];
    telling++;
  }
  return telling === 0 ? 0 : sum / telling;
}

function fitOf(type: AnswerType, sentence: string): number {
  const text = type === "day" ? sentence.replace(/«[^«»]*»/g, "«»") : sentence;
  return HOLDS[type](text) ? 1 : NEARLY[type]?.test(sentence) ? 0.5 : -1;
}

const DATE =
  /\d{1,2}(?:-?го)?\s{1,3}(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)|\d{1,2}[./]\d{1,2}(?![\d:])/iu;
/** Numbers that are no price: shares, times of day, measures. */
const NO_PRICE =
  /\d[\d\s]{0,9}\s?(?:%|:\d\d|кг|г|мл|л|см|мм|м|км|мин\p{L}*|час\p{L}*|дн\p{L}*|день|сут\p{L}*|недел\p{L}*|месяц\p{L}*|лет|год\p{L}*|шт\p{L}*|человек\p{L}*)(?!\p{L})/giu;
const STREET =
  /(?<!\p{L})(?:улиц|ул\.|набережн|наб\.|проезд|проспект|пр-т|шоссе|переул|пер\.|площад|пл\.|бульвар|б-р|мкр|квартал|метро|street|avenue)\p{L}*/iu;
const HOUSE = /\p{Lu}\p{Ll}+,?\s\d{1,4}(?!\d)/u;

/** «До скольки?» asks for an end, which «суббота в 12:00» does not tell. */
const ASKS_END = /(?<!\p{L})до\s+(?:ско(?:льки|льких|ка|лька)|как(?:ого|их)\s+(?:час|врем)\p{L}*)/iu;
const ENDS =
  /(?<!\p{L})до\s+(?:\d|[а-яё]+(?:и|ти)(?!\p{L})|полуноч|ноч|вечер|утр)|\d\s{0,2}[-–—]\s{0,2}\d|круглосуточн/iu;

/**
 * Whether a text surely contains the type, so that it may be stated as the answer; stricter than `typeFit`, which ranks.
 * @param inRow whether the text is a table row, whose units stand in the column headings
 */
export function holdsSurely(
  type: AnswerType,
  text: string,
  { inRow, question }: { inRow: boolean; question: string },
): boolean {
  switch (type) {
    case "yesNo":
      return true;
    case "money": {
      const prices = text.replace(NO_PRICE, " ");
      return (
        /\d\s*(?:₽|р\.?(?!\p{L})|руб|тыс|т\.р|\$|€)|[$€£]\s?\d|(?<!\p{L})(?:бесплатн\p{L}+|даром)/iu.test(prices) ||
        (inRow && /\d{2}/.test(prices)) ||
        /(?:[—–:-]|\p{L})\s\d[\d ]{2,}/u.test(prices)
      );
    }
    case "day":
      if (/как(?:ого|ое) числ/iu.test(question)) return DATE.test(text);
      return HOLDS.day(text) || MEASURED.test(text) || HOLDS.clock(text);
    case "clock":
      return HOLDS.clock(text) && (!ASKS_END.test(question) || ENDS.test(text));
    case "place":
      return /адрес|находит/iu.test(question) ? STREET.test(text) || HOUSE.test(text) : HOLDS.place(text);
    case "reason":
      return /(?<!\p{L})(?:потому|так как|поскольку|из-за|чтобы|иначе|because|since|due to)(?!\p{L})/iu.test(text);
    default:
      return HOLDS[type](text);
  }
}

const TYPE_WORDS = new Set(
  wordsOf(`стоит стоить стоимость стоят цена цены ценам цену ценник почем почём прайс сколько скока скок скоко денег рублей обойдется обойдётся отдашь отдаешь
  адрес адреса находитесь находится находишься часы часов час часа часу время времени график режим срок сроки долго быстро день дня дней дни когда где куда откуда телефон номер почта email
  число месяц год кто зовут код лет минут месяцев недель рубль проценты процентов сутки суток можно дата дату`),
);
/** Whether a word only names the type of answer; a sentence need not repeat it to be an answer. */
export const isTypeWord = (word: string): boolean => TYPE_WORDS.has(word);
