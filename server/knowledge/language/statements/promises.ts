/**
 * Recognises commitments by their form: future («вернём», «буду ждать»), past («записал вас»), offer («можем сделать») and passive
 * («будут возвращены»). Russian marks the perfective future with a prefix, so no list of verbs is needed
 * (docs/decisions/026-answer-verification.md).
 */
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

interface Commitment {
  verb: string;
  /** Whether the commitment is only to check, ask or answer, as people say when they do not know. */
  defers: boolean;
}

const PREFIX = "(?:по|при|пере|пре|под|подо|про|раз|рас|рос|вы|до|за|на|об|обо|от|ото|из|ис|воз|вос|вз|вс|со|с|о|у|в)";
/** Perfective verbs without a prefix are a closed class. */
const BARE = "(?:дад|верн|куп|реш|брос|пуст|прост|хват|ступ|лиш|конч|кин|дам|возьм|ляж|сяд|стан)";
const FUTURE_MANY = new RegExp(String.raw`^(?:${PREFIX}\p{L}{2,}|${BARE}\p{L}{0,4})(?:ем|им)$`, "u");
const FUTURE_ONE = new RegExp(
  String.raw`^(?:(?:${PREFIX}\p{L}{2,}|${BARE}\p{L}{0,4})[ую]|дам|отдам|выдам|передам|подам|создам)$`,
  "u",
);
const PAST = new RegExp(String.raw`^(?:${PREFIX}\p{L}{2,}|${BARE}\p{L}{0,4})(?:л|ла|ли|лся|лась|лись)$`, "u");
/** Prefixed verbs that are imperfective: by suffix, verbs of motion and state, and verbs without such a perfective. */
const IMPERFECTIVE =
  /(?:[ыи]ва|ева|ова)(?:ем|ю|л|ла|ли)(?:ся|сь)?$|(?:да|зна|ста)(?:ем|ю)$|(?:ход|воз|нос|вод|лаз|езж)(?:им|у)$|(?:ход|воз|нос|вод|лаз)и(?:л|ла|ли)$|(?:хожу|вожу|ношу|езжу)$|(?:сто|держ|вис|гляд|леж|сид|смотр|говор|сп|служ|суд|уч|стро|став|вар|вер|вид|прос|помн|спеш|ожида|ум|по)(?:им|ем)$|^(?:совету|рекоменду|использу|практику|пользу|планиру)(?:ем|ю)$|^вез(?:ем|у)$|^(?:ставлю|смотрю|стою|сплю|строю|сижу|вижу|верю|варю|вожу|учу|умею|помню|прошу|пою|сортируем|счита(?:ем|ю))$|^(?:стар|служ)ал/u;
/** An ending of imperfective verbs («принимаем», «отправляем»); only for the verbs in `ENDING` a prefix makes it perfective. */
const LASTING = /[ая](?:ем|ю)$/u;
const ENDING = /(?:дела|узна|дума|чита|счита|игра|работа|слуша|обеща|вяза)(?:ем|ю)$/u;
/** Words of other parts of speech with the endings of verbs. */
const OTHER_WORD =
  /(?:[кгхтмбсп]у|[нтврл]ую|ол|сть?ю|цию|ию|анию|ению|телем|цем|ием|ьем|арем|щим|шим|ским|ким|гим|хим|овым|ным)$|^(?:сразу|половину|снизу|сверху|внизу|вверху|внутри|сумму|неделю|смену|скидку|одну|всю|свою|вашу|нашу|всем|своим|вашим|совсем|объем|прием|подъем|проблем|систем|схем|сем|сами|вместе|поэтому|почему|потому|несколькими|нем|днем|временем|зачем|затем|причем|примем[уа]|пример|вдвоем|втроем|слоем|синем|одним|обоим|самим|прежним|последним|соседним|средним|осенью|вокзал|поему|всему|своему|нашему|вашему|посему|уж|всегда)$/u;
const PLEDGE =
  /^(?:обеща(?:ю|ем)|гарантиру(?:ю|ем)|обязу(?:юсь|емся)|клян(?:усь|емся)|ручаюсь|ручаемся|компенсиру(?:ю|ем)|promise|guarantee)$/u;
const WILL = /^(?:буду|будем)$/u;
const CAN = /^(?:можем|могу|готов|готова|готовы|согласен|согласна|согласны|смогу|сможем)$/u;
const INFINITIVE = /(?:ть|ти|чь)(?:ся|сь)?$/u;
const WILL_BE = /^(?:будет|будут)$/u;
const PARTICIPLE = /(?:ен|ана|ана|ано|аны|ена|ено|ены|ят|ята|ято|яты|ан)$/u;
const SPEAKER = /^(?:я|мы)$/u;
/** Words that may precede the verb at the start of a sentence. */
const OPENING = new Set(
  wordsOf(
    "да нет хорошо конечно ок окей ладно тогда сейчас завтра сегодня обязательно непременно сразу вам тебе вас тебя ему ей их его ее это все уже скоро позже ну и а но тут здесь вот спасибо здравствуйте привет добрый день пожалуйста лично потом чуть",
  ),
);
/** Stems of verbs such as to check, ask, pass on, answer, wait, help, be glad. */
const DEFERS =
  /^(?:уточн|узна|спрош|спрос|переда[мдлт]|посмотр|провер|подска|отве[чт]|напи[шс]|сообщ|скаж|сказа|свяж|связа|перезвон|позвон|помо[гжч]|подожд|ожида|жд|рад|вер(?:нусь|немся)|выясн|разбер|разобра|поня[лт]|пойм|постара|попыта|попроб|обрат|предлож|расска|объясн|услыша|check|ask|answer|reply|let|help|clarify|find|get|look|tell)/u;

export function commitmentsIn(sentence: string): Commitment[] {
  if (/\?\s{0,3}$/.test(sentence)) return [];
  return sentence.split(/[,;:()—\n]+/).flatMap((clause) => ofClause(wordsOf(clause)));
}

/** Maximum distance, in words, of the verb from its subject. */
const NEAR = 3;

function ofClause(words: readonly string[]): Commitment[] {
  const speaker = words.findIndex((word) => SPEAKER.test(word));
  let begins = 0;
  while (begins < words.length && OPENING.has(words[begins]!)) begins++;
  return words.flatMap((word, at) => {
    const verb = verbAt(words, at, at === begins || (speaker >= 0 && at > speaker && at - speaker <= NEAR));
    return verb === null ? [] : [{ verb, defers: DEFERS.test(verb) || (verb !== word && DEFERS.test(word)) }];
  });
}

/** Returns the verb of a commitment at this position; null if there is none. */
function verbAt(words: readonly string[], at: number, said: boolean): string | null {
  const word = words[at]!;
  const denied = words[at - 1] === "не" || words[at - 1] === "not";
  if (denied) return null;
  if (PLEDGE.test(word)) return word;
  const behind = words.slice(at + 1, at + 4);
  if (WILL.test(word) || CAN.test(word)) return behind.find((next) => INFINITIVE.test(next)) ?? null;
  if (WILL_BE.test(word)) return behind.find((next) => next.length > 5 && PARTICIPLE.test(next)) ?? null;
  if (/^(?:i'll|we'll)$/.test(word)) return behind[0] ?? null;
  if (word === "will" && /^(?:i|we)$/.test(words[at - 1] ?? "")) return behind[0] ?? null;
  if (OTHER_WORD.test(word) || IMPERFECTIVE.test(word) || (LASTING.test(word) && !ENDING.test(word))) return null;
  if (FUTURE_MANY.test(word)) return /^(?:с|со|за|под|над|перед|между)$/.test(words[at - 1] ?? "") ? null : word;
  return said && (FUTURE_ONE.test(word) || PAST.test(word)) ? word : null;
}
