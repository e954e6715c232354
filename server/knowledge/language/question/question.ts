import { findPhrases, wordsOf } from "../words/lexicon.ts";

const split = (text: string) => new Set(text.split(/\s+/));
const INTERROGATIVES =
  split(`кто кого кому кем что чего чему чем чей чья чье чьи какой какая какое какие какого каком какому какими каких каким какую какова каков каковы где когда куда откуда почему зачем отчего
  как сколько скока скольки скольких скольким сколькими насколько который которая ли можно есть who whom whose what which where when why how can could is are do does did will would should`);
/** Words that ask at any position: «букет из роз сколько стоит». Conjunctions («жду, когда», «знаю, что») ask only at the start. */
const ASKING_ANYWHERE = split(
  "сколько скока скок скольки скольких скольким насколько почем почему зачем откуда куда какой какая какое какие какого какую каких каким какими чей чья чье чьи",
);
/** At the end of a clause these words exclaim: «красота какая». */
const MARVELS = split("какой какая какое какие");
const INQUIRY_WORDS =
  split(`подскажи подскажите расскажи расскажите скажи скажите объясни объясните поясни поясните напомни напомните посоветуй посоветуйте уточни уточните опиши опишите интересует интересуют
  интересно узнать вопрос помоги помогите help tell explain describe advise wonder`);
const ACTION_REQUEST_WORDS =
  split(`скинь скиньте пришли пришлите отправь отправьте переведи переведите сделай сделайте позвони позвоните перезвони перезвоните дай дайте купи купите закажи закажите запиши запишите
  приезжай приезжайте приходи приходите займи займите одолжи оплати оплатите верни верните подпиши подпишите передай передайте подожди подождите  пришлешь скинешь отправь забронируй забронируйте
  отмени отмените оформи оформите send call give buy pay transfer book cancel bring come lend`);

export function wantOf(message: string): "question" | "request" | "statement" {
  const words = wordsOf(message);
  const content = withoutOpening(words);
  const asks = content.some((word) => INQUIRY_WORDS.has(word));
  if (asks) return "question";
  if (clauses(message).some((clause) => clause.slice(0, 3).some((word) => ACTION_REQUEST_WORDS.has(word))))
    return "request";
  if (message.includes("?")) return "question";
  const first = content[0] ?? "";
  const second = content[1] ?? "";
  if (INTERROGATIVES.has(first) || (PREPOSITIONS.has(first) && INTERROGATIVES.has(second)) || content.includes("ли"))
    return "question";
  const inside = (clause: string[]) =>
    clause.some((word, at) => ASKING_ANYWHERE.has(word) && !(at === clause.length - 1 && MARVELS.has(word)));
  if (clauses(message).some(inside)) return "question";
  return "statement";
}

/** Whether the word introduces a question without naming its subject: «подскажите», «интересует». */
export const isInquiryWord = (word: string): boolean => INQUIRY_WORDS.has(word);

const PREPOSITIONS = split("а и в во на с со до от по к у за о об из для in on at for to from");

const clauses = (message: string) => message.split(/[.!?,;:\n]+/).map((clause) => withoutOpening(wordsOf(clause)));

export function withoutOpening(words: string[]): string[] {
  let from = 0;
  const phrases = findPhrases(words).filter((phrase) => phrase.kind === "greeting" || phrase.kind === "filler");
  for (let moved = true; moved; ) {
    moved = false;
    for (const phrase of phrases) {
      if (phrase.at !== from) continue;
      from += phrase.length;
      moved = true;
    }
  }
  return words.slice(from);
}
