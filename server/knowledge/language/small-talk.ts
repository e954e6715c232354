import { asksWhoAnswers } from "./disclosure.ts";
import { isFirstName } from "./words/first-names.ts";
import { type FoundPhrase, findPhrases, wordsOf } from "./words/lexicon.ts";

export type SmallTalkSubject =
  | "identity"
  | "greeting"
  | "availability"
  | "howAreYou"
  | "thanks"
  | "farewell"
  | "acknowledgement"
  /** The message reports something pleasant and asks for nothing. */
  | "joy"
  | "waiting";

const SUBJECTS: Partial<Record<FoundPhrase["kind"], SmallTalkSubject>> = {
  greeting: "greeting",
  howAreYou: "howAreYou",
  thanks: "thanks",
  welcome: "acknowledgement",
  farewell: "farewell",
  acknowledgement: "acknowledgement",
  agreement: "acknowledgement",
  wellbeing: "acknowledgement",
};
const LIGHT = new Set(
  "выручил выручила выручили выручаешь помог помогла помогли супер круто класс отлично понятно ясно ладно ок а и ну да так там тут же то и вам тебе вас тебя все всем очень большое огромное за ответ помощь информацию еще раз тогда вот о ой ok you for your help the so much very again and oh".split(
    " ",
  ),
);
const ORDER: SmallTalkSubject[] = [
  "identity",
  "greeting",
  "availability",
  "howAreYou",
  "thanks",
  "farewell",
  "acknowledgement",
  "joy",
  "waiting",
];

/** Asks for attention before stating a request: «вы на связи?», «можно вопрос?», «поможете с упаковкой?». */
const KNOCK = new RegExp(
  String.raw`^(?:(?:а|ну|скажите|подскажите|пожалуйста)[\s,]+)*(?:${[
    String.raw`(?:вы|ты)\s+(?:сейчас\s+|ещ[её]\s+)?(?:на\s+связи|на\s+месте|тут|здесь|там|онлайн|в\s+сети|занят[аы]?|свободн[аы]|свободен|не\s+спи(?:шь|те))`,
    String.raw`(?:на\s+связи|на\s+месте|тут|здесь|онлайн|занят[аы]?)(?:\s+(?:вы|ты))?`,
    String.raw`(?:есть\s+)?кто(?:-нибудь|-то)?(?:\s+(?:тут|здесь|дома|на\s+связи|есть|живой|жив|не\s+спит))*`,
    "ал+о|ау+|эй|тук[- ]тук",
    String.raw`(?:можно|могу|разрешите|хочу|хотел[аи]?(?:\s+бы)?)\s+(?:я\s+)?(?:(?:у\s+)?(?:вас|тебя)\s+)?(?:кое[- ]что\s+|ещ[её]\s+|один\s+|пару\s+)*(?:задать\s+)?(?:вопрос\p{L}*|спросить|уточнить|узнать)`,
    String.raw`(?:у\s+меня\s+)?есть\s+(?:один\s+|пара\s+|небольшой\s+)*(?:вопрос\p{L}*|минут\p{L}+)|есть\s+врем[яе]|(?:у\s+меня\s+)вопрос\p{L}*`,
    String.raw`(?:сейчас\s+)?(?:вам\s+|тебе\s+)?удобно(?:\s+(?:сейчас|говорить|общаться|вам|тебе|разговаривать))*|не\s+отвлекаю|можешь\s+(?:говорить|разговаривать)|можете\s+(?:говорить|разговаривать)`,
    String.raw`(?:(?:вы|ты)\s+)?(?:(?:с?мо(?:жете|жешь)\s+)?(?:мне\s+|нам\s+)?помочь|поможете|поможешь|подскажете|подскажешь|проконсультируете)(?:\s+(?:мне|нам|пожалуйста|с\s+\p{L}+))*|нужна\s+(?:ваша\s+|твоя\s+)?(?:помощь|консультация)(?:\s+(?:с|по)\s+\p{L}+)?`,
  ].join("|")})$`,
  "iu",
);
const GREETED = new Set(["greeting", "filler", "colloquial"]);

/** Whether every sentence, apart from greetings and names, only asks for attention. */
function knocks(message: string): boolean {
  const clauses = message.split(/[.!?,;:)\n…]+/).map((clause) => clause.trim());
  const left = clauses.filter((clause) => {
    const words = wordsOf(clause);
    const covered = findPhrases(words).reduce((sum, one) => sum + (GREETED.has(one.kind) ? one.length : 0), 0);
    return words.length > covered && !words.every((word) => isFirstName(word, true) || word === "ку");
  });
  return left.length > 0 && left.every((clause) => KNOCK.test(clause));
}

/** Words that do not change the question, as in «как ваше здоровье». */
const WHOSE = new Set(wordsOf("ваше ваша ваш ваши твое твоя твой твои там сегодня вообще your"));

export const howAreYouIn = (words: readonly string[]): boolean =>
  [words, words.filter((word) => !WHOSE.has(word))].some((some) =>
    findPhrases([...some]).some(({ kind }) => kind === "howAreYou"),
  );

/**
 * Returns the subjects of pure small talk in answering order; null for any other message. A greeting before a question is not small talk.
 */
export function smallTalkOf(message: string): SmallTalkSubject[] | null {
  if (asksWhoAnswers(message)) return ["identity"];
  const words = wordsOf(message);
  if (words.length === 0) return /\p{Extended_Pictographic}|[)(!+]/u.test(message) ? ["acknowledgement"] : null;
  if (words.length > 16) return null;
  if (knocks(message)) {
    const greeted = findPhrases(words).some((phrase) => phrase.kind === "greeting");
    return greeted ? ["greeting", "availability"] : ["availability"];
  }
  const covered = new Array<boolean>(words.length).fill(false);
  const subjects = new Set<SmallTalkSubject>();
  // Longest phrases first: «как дела» must not leave «дела», nor «до свидания» «свидания».
  for (const phrase of findPhrases(words).sort((a, b) => b.length - a.length)) {
    const subject = SUBJECTS[phrase.kind];
    if (subject === undefined) {
      if (phrase.kind === "filler" || phrase.kind === "colloquial")
        covered.fill(true, phrase.at, phrase.at + phrase.length);
      continue;
    }
    const free = covered.slice(phrase.at, phrase.at + phrase.length).every((taken) => !taken);
    if (free) subjects.add(subject);
    covered.fill(true, phrase.at, phrase.at + phrase.length);
  }
  if (subjects.size === 0) return null;
  const capitals = capitalsOf(message);
  const left = words.filter((word, i) => !covered[i] && !LIGHT.has(word) && !isFirstName(word, true));
  if (left.length > 1 || (left.length === 1 && !capitals.has(left[0]!))) return null;
  const asks = message.includes("?");
  if (asks && !subjects.has("howAreYou")) return null;
  if (subjects.size > 1) subjects.delete("acknowledgement");
  return ORDER.filter((subject) => subjects.has(subject));
}

/** Returns capitalised words inside a sentence: the people addressed. */
function capitalsOf(message: string): Set<string> {
  return new Set([...message.matchAll(/(?<=[\p{L},]\s{1,3})\p{Lu}\p{L}+/gu)].flatMap((match) => wordsOf(match[0])));
}
