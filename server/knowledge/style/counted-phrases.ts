/** Which of the phrases found in a message are what their list calls them: told by where they stand and by what was said before. */
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import {
  type FoundPhrase,
  findPhrases,
  type PhraseKind,
  placesOf,
  wordsOf,
} from "#server/knowledge/language/words/lexicon.ts";
import { ACCOMPANYING_WORDS } from "./set-phrases.ts";
import { isGlued } from "./word-places.ts";

/** What had been said before a message. */
export interface Occasion {
  /** It is of the owner's first turn of its session; true where no times tell sessions apart. */
  opens: boolean;
  /** What the others have said since the owner last spoke. */
  heard: ReadonlySet<PhraseKind>;
  /** It goes on where the owner's own message before it ended. */
  follows: boolean;
}

const OPENING: Occasion = { opens: true, heard: new Set(), follows: false };

interface Said {
  words: readonly string[];
  phrases: readonly FoundPhrase[];
  typed: readonly string[];
  gaps: readonly string[];
}

/** What parts a message into clauses: marks, brackets, lines, pictures, a dash. */
const MARK = /[,.!?;:…()[\]«»"—–\n]|\s-\s|\p{Extended_Pictographic}/u;
/** What people say in one breath with a farewell. */
const PARTING = new Set<PhraseKind>(["farewell", "thanks", "welcome", "acknowledgement", "agreement"]);
const BEFORE_PARTING = words("ну а и да все всем тогда ох ой oh ok ah well so then");
const ADDRESSED = words("вам вас тебе тебя всем все всех all everyone everybody guys you");
/** Verbs in form; parenthetical only where they stand apart. */
const CALLS = words("знаешь знаете понимаешь понимаете слушай слушайте смотри смотрите you");
/** With them a clause of its own begins. */
const CLAUSE_STARTS = words(
  "я ты мы вы он она оно они это а и но ну у если когда как что где давай давайте i we he she they it",
);
/** Adverbs, verbs and prepositions inside a clause; parenthetical where they lead it. */
const LEADERS = words("короче значит допустим so well like");
const DETERMINERS = words(
  "a an the this that these those what which some any every each all no same another one certain",
);

const SUBORDINATES = words(
  "что чтобы как где куда откуда когда почему зачем кто кого кому чего чему чем сколько какой какая какое какие чей ли that what how where when why who which whether if",
);

function words(text: string): Set<string> {
  return new Set(text.split(" "));
}

type Rule = (phrase: FoundPhrase, said: Said, occasion: Occasion) => boolean;

/** It says all that is said at an edge of the message: «не знаю, как сказать» and «Ясно, что…» go on. */
const answers: Rule = (phrase, said) =>
  !isPartOfLonger(phrase, said) &&
  fillsClause(phrase, said) &&
  !SUBORDINATES.has(said.words[clauseAround(phrase, said).to] ?? "") &&
  (opensText(phrase, said) || endsText(phrase, said));

const RULES: Record<PhraseKind, Rule> = {
  // «привет мужу» in the middle of a conversation does not greet its reader.
  greeting: (phrase, said, { opens, heard }) => (opens || heard.has("greeting")) && opensText(phrase, said),
  farewell: (phrase, said) => parts(phrase, said) && endsText(phrase, said),
  thanks: () => true,
  // «Напишите, пожалуйста» answers no thanks, and «хорошо» is of health where that was asked for.
  welcome: (phrase, said, occasion) => occasion.heard.has("thanks") && answers(phrase, said, occasion),
  wellbeing: (phrase, said, { heard }) => heard.has("howAreYou") && leadsClause(phrase, said),
  howAreYou: () => true,
  acknowledgement: answers,
  agreement: answers,
  // «я не знаю вас» is not an admission of ignorance.
  unsure: (phrase, said, occasion) => answers(phrase, said, occasion) && endsClause(phrase, said),
  filler: (phrase, said) => !isName(phrase, said) && isParenthetical(phrase, said),
  colloquial: (phrase, said) => !isName(phrase, said),
};

interface CountedPhrase {
  phrase: FoundPhrase;
  /** As the owner spells it, in small letters: «чё» where the list has «че». */
  spelt: string;
}

/** @param found in `words`, the words of the text as `wordsOf` gives them */
export function countedPhrases(
  text: string,
  { words, phrases }: { words: readonly string[]; phrases: readonly FoundPhrase[] },
  occasion: Occasion,
): CountedPhrase[] {
  if (phrases.length === 0) return [];
  const said = { words, phrases, ...placesOf(text) };
  return phrases
    .filter((phrase) => !isGlued(phrase, said) && RULES[phrase.kind](phrase, said, occasion))
    .map((phrase) => ({ phrase, spelt: speltAs(phrase, said) }));
}

/** What a message of others may be that decides what the owner's answer is. */
const HEARD = new Set<PhraseKind>(["greeting", "farewell", "thanks", "howAreYou"]);

/** What a message does that the owner reads next. */
export function phraseKindsIn(text: string): PhraseKind[] {
  const words = wordsOf(text);
  const phrases = findPhrases(words);
  // Most messages do nothing of the kind.
  if (!phrases.some(({ kind }) => HEARD.has(kind))) return [];
  return countedPhrases(text, { words, phrases }, OPENING).map(({ phrase }) => phrase.kind);
}

const speltAs = ({ at, length }: FoundPhrase, { typed }: Said) =>
  length === 1
    ? typed[at]!.toLowerCase()
    : typed
        .slice(at, at + length)
        .join(" ")
        .toLowerCase();

/** The words of its clause, `to` behind the last. */
function clauseAround({ at, length }: FoundPhrase, { gaps, words }: Said): { from: number; to: number } {
  let from = at;
  while (from > 0 && !MARK.test(gaps[from]!)) from--;
  let to = at + length;
  while (to < words.length && !MARK.test(gaps[to]!)) to++;
  return { from, to };
}

/** Places of the words that phrases of these kinds hold. */
function covered(phrases: readonly FoundPhrase[], kinds?: ReadonlySet<PhraseKind>): Set<number> {
  const some = kinds === undefined ? phrases : phrases.filter(({ kind }) => kinds.has(kind));
  return new Set(some.flatMap(({ at, length }) => Array.from({ length }, (_, word) => at + word)));
}

/** Its clause says nothing but set phrases, and does not ask. */
function fillsClause(phrase: FoundPhrase, said: Said): boolean {
  const { from, to } = clauseAround(phrase, said);
  const set = covered(said.phrases);
  const clause = said.words.slice(from, to);
  return (
    !said.gaps[to]!.includes("?") &&
    clause.every((word, place) => set.has(from + place) || ACCOMPANYING_WORDS.has(word))
  );
}

/** Nothing but set phrases stands behind it in its clause. */
function endsClause(phrase: FoundPhrase, said: Said): boolean {
  const end = phrase.at + phrase.length;
  const set = covered(said.phrases);
  return said.words.slice(end, clauseAround(phrase, said).to).every((_, place) => set.has(end + place));
}

/** «sure» of «not sure», «хорошо» of «все хорошо». */
const isPartOfLonger = ({ at, length }: FoundPhrase, { phrases }: Said) =>
  phrases.some((one) => one.length > length && one.at <= at && at + length <= one.at + one.length);

/** Nothing but set phrases stands before it in its clause. */
function leadsClause(phrase: FoundPhrase, said: Said): boolean {
  const { from } = clauseAround(phrase, said);
  const set = covered(said.phrases);
  return said.words
    .slice(from, phrase.at)
    .every((word, place) => set.has(from + place) || ACCOMPANYING_WORDS.has(word));
}

/** Nothing but set phrases stands before it, or whom it speaks to («Глеб, добрый день»). */
function opensText({ at }: FoundPhrase, { words, phrases, gaps }: Said): boolean {
  const set = covered(phrases);
  if (words.slice(0, at).every((word, place) => set.has(place) || ACCOMPANYING_WORDS.has(word))) return true;
  return at <= 2 && MARK.test(gaps[at]!);
}

/** Nothing but partings, or whom it speaks to, stands behind it. */
function endsText({ at, length }: FoundPhrase, { words, phrases, typed, gaps }: Said): boolean {
  const end = at + length;
  if (gaps[end]!.includes("?")) return false;
  const set = covered(phrases, PARTING);
  const addressed = (word: string, place: number) =>
    ADDRESSED.has(word) || isFirstName(word, true) || isCapital(typed[place]!);
  return words.slice(end).every((word, place) => set.has(end + place) || addressed(word, end + place));
}

/** Its clause parts and says nothing else: «Не ругай пока» and «пока так» part with nobody, nor does «хорошо пока». */
function parts(phrase: FoundPhrase, said: Said): boolean {
  const { from, to } = clauseAround(phrase, said);
  const set = covered(said.phrases, PARTING);
  const feels = covered(said.phrases, new Set<PhraseKind>(["wellbeing"]));
  return said.words.slice(from, to).every((word, place) => {
    const at = from + place;
    if (at >= phrase.at + phrase.length) return set.has(at) || ADDRESSED.has(word) || namesSomebody(at, said);
    return at >= phrase.at || BEFORE_PARTING.has(word) || (set.has(at) && !feels.has(at));
  });
}

const namesSomebody = (at: number, { words, typed }: Said) => isFirstName(words[at]!, true) || isCapital(typed[at]!);

function isParenthetical(phrase: FoundPhrase, said: Said): boolean {
  const { text, at, length } = phrase;
  const [first] = text.split(" ") as [string];
  const before = said.words[at - 1] ?? "";
  const next = said.words[at + length];
  if (CALLS.has(first)) {
    if (next !== undefined && leadsClause(phrase, said) && CLAUSE_STARTS.has(next)) return true;
    return said.words.length > length && fillsClauseAsking(phrase, said);
  }
  if (LEADERS.has(text)) return leadsClause(phrase, said);
  // «Как бы я желал» wishes, «как бы ни было» grants; «kind of» behind a determiner and «типа» behind «нового» are nouns.
  if (text === "как бы") {
    const { to } = clauseAround(phrase, said);
    return !leadsClause(phrase, said) && !said.words.slice(at, to).some((word) => word === "ни" || word === "не");
  }
  if (first === "kind" || first === "sort") return !DETERMINERS.has(before);
  return text !== "типа" || !/[ое]го$/.test(before);
}

/** «Понимаешь?» may ask; «ты знаешь, что…» governs. */
function fillsClauseAsking(phrase: FoundPhrase, said: Said): boolean {
  const { from, to } = clauseAround(phrase, said);
  const set = covered(said.phrases);
  if (SUBORDINATES.has(said.words[to] ?? "")) return false;
  return said.words
    .slice(from, to)
    .every(
      (word, place) =>
        set.has(from + place) || ACCOMPANYING_WORDS.has(word) || (from + place < phrase.at && word === "ты"),
    );
}

/** «к Оке»: a capital inside a clause, in a text that is not all capitals. */
function isName({ at }: FoundPhrase, { typed, gaps }: Said): boolean {
  if (at === 0 || MARK.test(gaps[at]!) || !isCapital(typed[at]!)) return false;
  return typed.some((word) => word !== word.toUpperCase());
}

const isCapital = (word: string) => word[0] !== word[0]!.toLowerCase();
