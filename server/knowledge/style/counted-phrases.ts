/** Decides which phrases found in a message really have the function of their list, by their position and the preceding messages. */
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

/** Context of a message: what was said before it. */
export interface Occasion {
  /** Whether the message belongs to the owner's first turn of a session; true when no timestamps separate sessions. */
  opens: boolean;
  /** Kinds of phrases in the others' messages since the owner last spoke. */
  heard: ReadonlySet<PhraseKind>;
  follows: boolean;
  /** Whether the others' messages since the owner last spoke ask for a lower price. */
  haggled?: boolean;
}

const OPENING: Occasion = { opens: true, heard: new Set(), follows: false };

interface Said {
  words: readonly string[];
  phrases: readonly FoundPhrase[];
  typed: readonly string[];
  gaps: readonly string[];
}

/** Separators of clauses: punctuation, brackets, line breaks, emoji and a dash. */
const MARK = /[,.!?;:…()[\]«»"—–\n]|\s-\s|\p{Extended_Pictographic}/u;
/** Kinds of phrases that commonly accompany a farewell. */
const PARTING = new Set<PhraseKind>(["farewell", "thanks", "welcome", "acknowledgement", "agreement"]);
const BEFORE_PARTING = words("ну а и да все всем тогда ох ой oh ok ah well so then");
const ADDRESSED = words("вам вас тебе тебя всем все всех all everyone everybody guys you");
/** Verbs that call for attention; they are parenthetical only when commas set them apart. */
const CALLS = words("знаешь знаете понимаешь понимаете слушай слушайте смотри смотрите you");
/** Words that begin a new clause. */
const CLAUSE_STARTS = words(
  "я ты мы вы он она оно они это а и но ну у если когда как что где давай давайте i we he she they it",
);
/** Words that are parenthetical at the start of a clause and ordinary adverbs, verbs or prepositions inside it. */
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

/** Requires a phrase at an edge of the message that makes up its whole clause: «не знаю, как сказать» and «Ясно, что…» continue. */
const answers: Rule = (phrase, said) =>
  !isPartOfLonger(phrase, said) &&
  fillsClause(phrase, said) &&
  !SUBORDINATES.has(said.words[clauseAround(phrase, said).to] ?? "") &&
  (opensText(phrase, said) || endsText(phrase, said));

const RULES: Record<PhraseKind, Rule> = {
  // A greeting counts only at an opening: «привет мужу» in mid-conversation does not greet the reader.
  greeting: (phrase, said, { opens, heard }) => (opens || heard.has("greeting")) && opensText(phrase, said),
  farewell: (phrase, said) => parts(phrase, said) && endsText(phrase, said),
  thanks: () => true,
  // «Пожалуйста» answers only thanks («Напишите, пожалуйста» does not), and «хорошо» reports wellbeing only when asked.
  welcome: (phrase, said, occasion) => occasion.heard.has("thanks") && answers(phrase, said, occasion),
  wellbeing: (phrase, said, { heard }) => heard.has("howAreYou") && leadsClause(phrase, said),
  howAreYou: () => true,
  acknowledgement: answers,
  agreement: answers,
  // «Не знаю» must end its clause: «я не знаю вас» does not admit ignorance.
  unsure: (phrase, said, occasion) => answers(phrase, said, occasion) && endsClause(phrase, said),
  filler: (phrase, said) => !isName(phrase, said) && isParenthetical(phrase, said),
  colloquial: (phrase, said) => !isName(phrase, said),
};

interface CountedPhrase {
  phrase: FoundPhrase;
  /** The owner's own spelling in lower case, for example «чё» where the list has «че». */
  spelt: string;
}

/** @param found in `words`, the words of the text as returned by `wordsOf` */
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

/** Kinds of phrases in others' messages that change how the owner's reply is read. */
const HEARD = new Set<PhraseKind>(["greeting", "farewell", "thanks", "howAreYou"]);

export function phraseKindsIn(text: string): PhraseKind[] {
  const words = wordsOf(text);
  const phrases = findPhrases(words);
  // Most messages contain none, so the costly counting is skipped.
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

function clauseAround({ at, length }: FoundPhrase, { gaps, words }: Said): { from: number; to: number } {
  let from = at;
  while (from > 0 && !MARK.test(gaps[from]!)) from--;
  let to = at + length;
  while (to < words.length && !MARK.test(gaps[to]!)) to++;
  return { from, to };
}

function covered(phrases: readonly FoundPhrase[], kinds?: ReadonlySet<PhraseKind>): Set<number> {
  const some = kinds === undefined ? phrases : phrases.filter(({ kind }) => kinds.has(kind));
  return new Set(some.flatMap(({ at, length }) => Array.from({ length }, (_, word) => at + word)));
}

/** Whether the clause consists of set phrases only and is no question. */
function fillsClause(phrase: FoundPhrase, said: Said): boolean {
  const { from, to } = clauseAround(phrase, said);
  const set = covered(said.phrases);
  const clause = said.words.slice(from, to);
  return (
    !said.gaps[to]!.includes("?") &&
    clause.every((word, place) => set.has(from + place) || ACCOMPANYING_WORDS.has(word))
  );
}

function endsClause(phrase: FoundPhrase, said: Said): boolean {
  const end = phrase.at + phrase.length;
  const set = covered(said.phrases);
  return said.words.slice(end, clauseAround(phrase, said).to).every((_, place) => set.has(end + place));
}

/** Whether the phrase lies inside a longer one, as «sure» in «not sure» or «хорошо» in «все хорошо». */
const isPartOfLonger = ({ at, length }: FoundPhrase, { phrases }: Said) =>
  phrases.some((one) => one.length > length && one.at <= at && at + length <= one.at + one.length);

function leadsClause(phrase: FoundPhrase, said: Said): boolean {
  const { from } = clauseAround(phrase, said);
  const set = covered(said.phrases);
  return said.words
    .slice(from, phrase.at)
    .every((word, place) => set.has(from + place) || ACCOMPANYING_WORDS.has(word));
}

/** Whether only set phrases or the name of the addressee precede the phrase («Глеб, добрый день»). */
function opensText({ at }: FoundPhrase, { words, phrases, gaps }: Said): boolean {
  const set = covered(phrases);
  if (words.slice(0, at).every((word, place) => set.has(place) || ACCOMPANYING_WORDS.has(word))) return true;
  return at <= 2 && MARK.test(gaps[at]!);
}

/** Whether only farewell phrases or the name of the addressee follow the phrase. */
function endsText({ at, length }: FoundPhrase, { words, phrases, typed, gaps }: Said): boolean {
  const end = at + length;
  if (gaps[end]!.includes("?")) return false;
  const set = covered(phrases, PARTING);
  const addressed = (word: string, place: number) =>
    ADDRESSED.has(word) || isFirstName(word, true) || isCapital(typed[place]!);
  return words.slice(end).every((word, place) => set.has(end + place) || addressed(word, end + place));
}

/** Whether the clause is nothing but a farewell: «Не ругай пока», «пока так» and «хорошо пока» are none. */
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
  // «Как бы» is no filler in a wish («Как бы я желал») or a concession («как бы ни было»). Nor is «kind of» after a determiner or «типа»
  // after «нового», where both are nouns.
  if (text === "как бы") {
    const { to } = clauseAround(phrase, said);
    return !leadsClause(phrase, said) && !said.words.slice(at, to).some((word) => word === "ни" || word === "не");
  }
  if (first === "kind" || first === "sort") return !DETERMINERS.has(before);
  return text !== "типа" || !/[ое]го$/.test(before);
}

/** Whether the clause is one bare verb such as «Понимаешь?»; in «ты знаешь, что…» the verb governs a clause. */
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

/** Whether the word is a name, as in «к Оке»: capitalised inside a clause, in a text that is not all capitals. */
function isName({ at }: FoundPhrase, { typed, gaps }: Said): boolean {
  if (at === 0 || MARK.test(gaps[at]!) || !isCapital(typed[at]!)) return false;
  return typed.some((word) => word !== word.toUpperCase());
}

const isCapital = (word: string) => word[0] !== word[0]!.toLowerCase();
