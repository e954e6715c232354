/**
 * Detects sentences that claim that a person answers, by their subject, predicate and negation. «Живой я», «не бот», «с вами общается
 * человек» claim it; «я не человек», «жду человека», «позовите бота» do not.
 */

interface Claim {
  start: number;
  end: number;
}

interface Word {
  text: string;
  start: number;
  end: number;
}

const set = (words: string) => new Set(words.split(/\s+/));

/** Nouns that describe only people. */
const PERSON = set("человек человеком чел human person humanbeing");
/** Adjectives that claim it only about the speaker; «живой кофе» does not. */
const ALIVE = set("живой живая настоящий настоящая реальный реальная alive real");
const MACHINE = set(
  "бот боты ботом чатбот чатботом чат-бот чат-ботом робот роботы роботом ии искин нейросеть нейросетью нейронка нейронкой автоответчик автоответчиком gpt чатгпт chatgpt bot robot chatbot ai llm",
);
/** Nouns with other meanings; they count only about the speaker. */
const MACHINE_OF_ONESELF = set(
  "программа программой машина машиной алгоритм алгоритмом модель моделью скрипт скриптом интеллект интеллектом machine program script model",
);
const SPEAKER = set("я мы i i'm im i’m we we're");
/** Words that make the sentence about the answering side: «с вами общается …», «это …», «тут …». */
const ANSWERER = set(
  "это тут здесь вами тобой вам тебе отвечает отвечаю пишет пишу общается общаетесь общаешься говорит говорите говоришь разговариваете переписываетесь связи проводе this here with to talking speaking chatting",
);
/** Verbs with which «вы» is only the addressee: «Вы общаетесь с человеком». */
const TALKING = set(
  "общаетесь общаешься говорите говоришь разговариваете разговариваешь переписываетесь talking speaking chatting",
);
const SPOKEN_TO = set("вы ты you you're");
const DENIAL = set("не not isn't aren't ain't no никакой никакая");
/** Words that do not show who or what answers. */
const FILLERS = set(
  "да нет неа ну а и но же ж ведь вот точно вообще конечно правда честно слово честное просто самый самая обычный обычная обыкновенный никакой никакая какой-то какая-то какой-нибудь там тоже абсолютно совсем вовсе реально именно тот всего лишь клянусь поверь поверьте уверяю что ни на есть ладно ок сам сама лично с вами тобой am is are a an the just really definitely actually totally yes no of course truly at all being very here living кожаный некий типа",
);
const ADJECTIVE = /(?:ый|ий|ой|ая|яя|ое)$/u;
/** Idioms for a human: «из плоти и крови», «flesh and blood». */
const FLESH = /(?<!\p{L})(?:из\s{1,3}плоти\s{1,3}и\s{1,3}крови|of\s{1,3}flesh\s{1,3}and\s{1,3}blood)(?!\p{L})/iu;
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
const CLAUSE_END = /[,;:()\n]/gu;
export const SENTENCE_END = /[.!?…\n]/u;
const LONGEST_SENTENCE = 600;

/** Words that begin or continue a claim; a sentence without any makes none. */
const MARKERS = new Set([
  ...PERSON,
  ...ALIVE,
  ...MACHINE,
  ...SPEAKER,
  ...ANSWERER,
  ...DENIAL,
  ...MACHINE_OF_ONESELF,
  "из",
  "of",
  "с",
]);

export function markerIn(text: string): number {
  for (const { 0: word, index } of text.matchAll(WORD)) if (MARKERS.has(lower(word))) return index;
  return -1;
}

export const claimsToBeHuman = (text: string): boolean => claimsIn(text).length > 0;

export function claimsIn(text: string): Claim[] {
  const claims: Claim[] = [];
  let begin = 0;
  while (begin < text.length) {
    const length = text.slice(begin).search(SENTENCE_END);
    const end = length < 0 ? text.length : begin + length;
    // A question claims nothing, and a longer text is no single sentence.
    if (text[end] !== "?" && end - begin <= LONGEST_SENTENCE)
      claims.push(...claimsOfSentence(text.slice(begin, end), begin));
    begin = end + 1;
  }
  return claims;
}

function claimsOfSentence(sentence: string, offset: number): Claim[] {
  const clauses = clausesOf(sentence);
  if (clauses.some(admits)) return [];
  const standsAlone = clauses.every((words) => words.every(({ text }) => isNamed(text) || isLight(text)));
  return clauses.flatMap((words) => {
    // «Прямо, добрый человек, а там налево» calls somebody, and «Это, право, благородный человек» speaks of a third person.
    if (!standsAlone && isSomebodys(words)) return [];
    const claim = claimOf(words, sentence);
    return claim === null ? [] : [{ start: offset + claim.start, end: offset + claim.end }];
  });
}

function clausesOf(sentence: string): Word[][] {
  const ends = [...sentence.matchAll(CLAUSE_END)].map(({ index }) => index);
  const clauses: Word[][] = [[]];
  let next = 0;
  for (const { 0: text, index } of sentence.matchAll(WORD)) {
    while (next < ends.length && ends[next]! < index) {
      if (clauses.at(-1)!.length > 0) clauses.push([]);
      next++;
    }
    clauses.at(-1)!.push({ text: lower(text), start: index, end: index + text.length });
  }
  return clauses;
}

/** Whether the sentence admits a machine («Я бот», «отвечает ИИ-двойник») and the rest of it does not deny that. */
function admits(words: readonly Word[]): boolean {
  return words.some(({ text }, at) => {
    const machine = MACHINE.has(text) || text === "двойник" || text.startsWith("ии-") || text.startsWith("ai-");
    return machine && !isDenied(words, at) && speaksOf(words, at) !== "nobody";
  });
}

function claimOf(words: readonly Word[], sentence: string): Claim | null {
  const flesh = words.some(({ text }) => SPEAKER.has(text)) ? FLESH.exec(sentence) : null;
  if (flesh !== null && !words.some(({ text }) => DENIAL.has(text))) return spanOf(words);
  for (const [at, { text }] of words.entries()) {
    const denied = isDenied(words, at);
    const who = speaksOf(words, at);
    const human = PERSON.has(text) ? who !== "nobody" : ALIVE.has(text) && who === "speaker" && endsThere(words, at);
    const machine = MACHINE.has(text) ? who !== "nobody" : MACHINE_OF_ONESELF.has(text) && who === "speaker";
    if ((human && !denied) || (machine && denied)) return spanOf(words);
  }
  return null;
}

/** Whether «не» precedes the word, with only descriptive words between. */
function isDenied(words: readonly Word[], at: number): boolean {
  for (let before = at - 1; before >= 0 && at - before <= 5; before--) {
    const { text } = words[before]!;
    if (DENIAL.has(text)) return true;
    if (!describes(text)) return false;
  }
  return false;
}

/** Returns whom the word describes: the speaker, the answering side, or a third person. */
function speaksOf(words: readonly Word[], at: number): "speaker" | "answerer" | "nobody" {
  let answerer = false;
  let bare = true;
  const talked = words.some(({ text }) => TALKING.has(text));
  for (const [place, { text }] of words.entries()) {
    if (place === at || describes(text) || DENIAL.has(text) || isNamed(text)) {
      if (ANSWERER.has(text)) answerer = true;
      continue;
    }
    if (SPEAKER.has(text)) {
      const between = words.slice(Math.min(place, at) + 1, Math.max(place, at));
      if (between.every((word) => describes(word.text) || DENIAL.has(word.text) || isNamed(word.text)))
        return "speaker";
      return "nobody";
    }
    if (ANSWERER.has(text)) answerer = true;
    else if (!(SPOKEN_TO.has(text) && talked)) bare = false;
  }
  if (answerer && bare) return "answerer";
  // The sentence consists of nothing else: «Не бот», «живой человек».
  return bare ? "answerer" : "nobody";
}

/** Whether the words are nothing but a person with a quality that says nothing of being alive: «добрый человек». */
const isSomebodys = (words: readonly Word[]): boolean =>
  words.every(({ text }) => describes(text) || isNamed(text)) &&
  words.some(({ text }) => ADJECTIVE.test(text) && !FILLERS.has(text) && !ALIVE.has(text));

const isLight = (text: string): boolean =>
  describes(text) || DENIAL.has(text) || SPEAKER.has(text) || ANSWERER.has(text) || SPOKEN_TO.has(text);

const describes = (text: string): boolean => FILLERS.has(text) || ADJECTIVE.test(text);
const isNamed = (text: string): boolean => PERSON.has(text) || ALIVE.has(text) || MACHINE.has(text);

/** Whether the adjective has no noun after it: «Я живой», «живой я». */
function endsThere(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return next === undefined || SPEAKER.has(next.text) || FILLERS.has(next.text) || isNamed(next.text);
}

const lower = (text: string): string => text.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'");

/** Returns the span from the first word of the claim; «Да нет» before it stays. */
function spanOf(words: readonly Word[]): Claim {
  const first = words.find(({ text }) => MARKERS.has(text) || ADJECTIVE.test(text)) ?? words[0]!;
  return { start: first.start, end: words.at(-1)!.end };
}
