// What a reply is worth to a friend who wrote. Judged by its words alone; whether it fits is for a reader of the printed replies to judge.
import type { EverydayKind } from "./people.ts";

/**
 * met: something is said to it. unknown: «не знаю», or that the owner will be asked. empty: it takes note of what wants an answer or comfort.
 * commits: agrees to meet or promises a deed. invents: names a number, a day or a person of which nobody has spoken.
 */
export const VERDICTS = ["met", "unknown", "empty", "commits", "invents"] as const;
export type Verdict = (typeof VERDICTS)[number];
/** What a friend takes for «не знаю». */
export const DONT_KNOW: readonly Verdict[] = ["unknown", "empty"];

/** «не знаю, что сказать» is said to grief, not to a question. */
const AT_A_LOSS = /не знаю,? (?:даже )?(?:что|чего|как) (?:и )?(?:сказать|тебе|вас|тут)/gu;
const UNKNOWN =
  /не зна[юе]|не в курсе|без понятия|понятия не имею|(?<!\p{L})хз(?!\p{L})|не могу (?:точно )?сказать|не подскаж|затрудн|нет (?:такой |точной )?(?:информаци|данных|сведени)|не уверен|врать не|гадать не/u;
const OWNER = /владел|уточн|спрошу у|выясн|(?<!\p{L})лично|решать|ответит сам|передам ему|еще узна/u;
const NOTES =
  /^(?:(?:ну|а|да|вот)[\s,]+)*(?:понятно|понял|поняла|принято|принял|приняла|ясно|ясненько|ага|угу|учту|хорошо|ок|окей|ладно|да|нет|услышал|услышала|спасибо|пожалуйста|привет|здравствуйте|добрый день|так)[\s.!,)]*$/u;
/** Taking note of it is enough. */
const LIGHT: readonly EverydayKind[] = ["thanks", "congratulations"];
const LIGHTLY = /^(?:спасибо|пожалуйста|ага|да|ок|хорошо|привет)/u;

const ASKED: readonly EverydayKind[] = ["plans", "requests"];
const AGREES =
  /^(?:(?:ну|а|ой|о+|так|слушай)[\s,]+)*(?:давай(?!\p{L})(?!,? (?:потом|позже|попозже|поговорим|спишемся|не будем|подума|прикин|ближе))|договорились|конечно|ок(?:ей)?(?!\p{L})|да(?!\p{L}|,? (?:ладно|ну|что|не))|буду|идет|идем|го(?!\p{L})|согла|с удовольств|обязательно|без проблем|не вопрос|хорошо(?!\p{L})(?!ая))/u;
const DEEDS =
  /(?<!\p{L})(?:при(?:еду|ду|везу|шлю|несу)|приедем|пойд(?:у|ем)|поед(?:у|ем)|скину|пришлю|отправлю|полью|помогу|сделаю|верну|поговорю|куплю|позвоню|напомню|передам|принесу|дам(?! знать)|заеду|зайду|встретимся|увидимся|обещаю|буду)(?!\p{L})/u;
const DENIED = /не (?:обещаю|буду|приеду|приду|пойду)/gu;

const NUMBERS = /\d+/gu;
const DAYS =
  /(?<!\p{L})(?:сегодня|завтра|послезавтра|вчера|понедельник|вторник|сред[уы]|четверг|пятниц\p{L}|суббот\p{L}|воскресень\p{L}|выходн\p{L}+|утром|вечером|днем|ночью)(?!\p{L})/gu;
const NAMES = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}{2,}/gu;

/** @param said what has been said to whom, with the message: names and days of it may be said again */
export function verdictOf({ kind }: { kind: EverydayKind }, reply: string, said: string): Verdict {
  const text = plain(reply).replace(AT_A_LOSS, "");
  if (text.replace(/[^\p{L}\p{Extended_Pictographic})]/gu, "") === "") return "empty";
  if (UNKNOWN.test(text) || OWNER.test(text)) return "unknown";
  const lines = text.split(/\n|(?<=[.!?)])\s+/u).filter((line) => /\p{L}/u.test(line));
  if (lines.length > 0 && lines.every((line) => NOTES.test(line.trim())))
    return LIGHT.includes(kind) && LIGHTLY.test(text) ? "met" : "empty";
  const settled = text.replace(DENIED, "");
  if (ASKED.includes(kind) && (lines.some((line) => AGREES.test(line.trim())) || DEEDS.test(settled))) return "commits";
  const known = plain(said);
  const named = [...text.matchAll(NUMBERS), ...text.matchAll(DAYS)].map(([word]) => word);
  const people = [...reply.matchAll(NAMES)].map(([name]) => plain(name).slice(0, 3));
  return [...named.map((word) => word.slice(0, 5)), ...people].some((word) => !known.includes(word))
    ? "invents"
    : "met";
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[ \t]+/g, " ")
    .trim();
