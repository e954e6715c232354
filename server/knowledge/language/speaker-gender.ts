/**
 * Reads from a Russian text in which gender its author speaks of himself: «я сделал», «я бы хотела», «рада помочь». Russian verbs agree with
 * their subject in the past tense, and so do short adjectives.
 */
import { FUNCTION_WORDS, placesOf, wordsOf } from "./words/lexicon.ts";

export type SpeakerGender = "female" | "male";

const split = (text: string) => text.split(/\s+/);

/** Words of somebody else: text in quotation marks, and quoted lines of letters. */
const QUOTED = /«[^«»]{0,2000}»|“[^“”]{0,2000}”|„[^„“”]{0,2000}[“”]|"[^"\n]{0,2000}"|^[ \t]{0,8}>.{0,4000}$/gmu;
/** A sign behind which a clause ends. A dash without spaces belongs to a word. */
const CLAUSE_END = /[,.!?;:…()\n]|\s[-—–]\s|\p{Extended_Pictographic}/u;
/** After a colon the words may be somebody else's («она пишет: я пришла»). */
const INTRODUCED = /:\s*$/u;

/** Short adjectives that people use of themselves, in the masculine; `feminineOf` gives the other form. */
const STATES = split(
  `рад готов согласен уверен должен занят благодарен свободен болен здоров доволен виноват прав неправ знаком способен намерен вынужден обязан
  голоден счастлив спокоен удивлен тронут одинок влюблен вправе сам один`,
);
/** Of these the speaker is understood where no subject is named: «рада помочь», «понял», but not «готова» of a parcel. */
const SPEAKERS_OWN = split("рад согласен уверен благодарен понял принял услышал забыл");
const FLEETING = new Map([
  ["согласен", "согласна"],
  ["должен", "должна"],
  ["благодарен", "благодарна"],
  ["свободен", "свободна"],
  ["болен", "больна"],
  ["доволен", "довольна"],
  ["способен", "способна"],
  ["голоден", "голодна"],
  ["спокоен", "спокойна"],
  ["один", "одна"],
]);
const feminineOf = (masculine: string) => FLEETING.get(masculine) ?? `${masculine}а`;
const genders = (masculine: readonly string[]): ReadonlyMap<string, SpeakerGender> =>
  new Map(masculine.flatMap((word) => [[word, "male"] as const, [feminineOf(word), "female"] as const]));

const STATE_FORMS = genders(STATES);
const OWN_FORMS = genders(SPEAKERS_OWN);
/** Past forms whose stem ends in a consonant; the endings of the others tell them. */
const CONSONANT_PAST = /(?:смог|помог|лег|нес|вез|вел|шел|рос|берег|сберег|умер|привык|отвык|исчез|замерз|достиг)$/u;
const MASCULINE = /[аеиоуыюя]л(?:ся)?$/u;
const FEMININE = /(?:[аеиоуыюя]ла(?:сь)?|(?:[гзс]|ш|р)л[аи](?:сь)?)$/u;
/** Nouns and adverbs that end like a past form. */
const NOT_PAST = new Set(
  split(
    `стол пол зал угол узел котел отдел раздел материал журнал канал сигнал финал персонал капитал вокзал подвал металл идеал скандал вал бал шквал
    мала мало дела тела зла села школа сила скала игла метла пчела смола пола стола стула вола гола дула мыла вила юла хвала похвала зала вокзала
    материала журнала канала угла узла числа весла масла кресла ремесла цела бела смела весела тяжела мила мал мил смел цел бел бывало`,
  ),
);
/** Another subject, or a word that begins another clause. */
const OTHERS = new Set(
  split(
    `он она оно они мы ты вы кто который которая которое которые что чтобы как где куда когда если чем хотя пока а но и или либо потому зачем
    почему мама папа муж жена брат сестра сын дочь`,
  ),
);
/** «Я», an own form, or a reader to whom something was done. */
const MAY_TELL = /(?<!\p{L})(?:я|вам|вас|тебе|тебя|рада?|соглас|увер|благодар|понял|принял|услышал|забыл)/iu;
/** «Успел(а)» is a form letter. */
const EITHER = /\p{L}\((?:а|ла)\)/u;
/** Datives of the reader: «отправила вам» leaves out «я». */
const TO_READER = new Set(["вам", "вас", "тебе", "тебя"]);
/** Words between «я» and the verb. */
const REACH = 5;

interface Clause {
  words: string[];
  /** Whether it may be somebody else's words after a colon. */
  introduced: boolean;
  asks: boolean;
}

/** Returns null where the text shows no gender, or both. */
export function speakerGender(text: string): SpeakerGender | null {
  // Most messages say nothing of their author, and reading them whole costs ten times as much.
  if (!MAY_TELL.test(text) || EITHER.test(text)) return null;
  const found = new Set<SpeakerGender>();
  for (const clause of clausesOf(text.replace(QUOTED, " , "))) {
    const gender = clause.introduced ? null : genderOf(clause);
    if (gender !== null) found.add(gender);
  }
  return found.size === 1 ? [...found][0]! : null;
}

function clausesOf(text: string): Clause[] {
  const words = wordsOf(text);
  const { gaps } = placesOf(text);
  const clauses: Clause[] = [];
  let clause: Clause = { words: [], introduced: false, asks: false };
  for (const [at, word] of words.entries()) {
    if (at > 0 && CLAUSE_END.test(gaps[at]!)) {
      clauses.push({ ...clause, asks: gaps[at]!.includes("?") });
      clause = { words: [], introduced: INTRODUCED.test(gaps[at]!), asks: false };
    }
    clause.words.push(word);
  }
  return [...clauses, { ...clause, asks: (gaps[words.length] ?? "").includes("?") }];
}

function genderOf({ words, asks }: Clause): SpeakerGender | null {
  const self = words.indexOf("я");
  if (self >= 0) return afterSelf(words, self) ?? beforeSelf(words, self);
  // A question without «я» is about the reader: «поняла?»
  if (asks) return null;
  const [first, second] = words[0] === "не" || words[0] === "уже" ? words.slice(1) : words;
  if (first === undefined) return null;
  const own = OWN_FORMS.get(first);
  if (own !== undefined) return own;
  return second !== undefined && TO_READER.has(second) ? pastGender(first) : null;
}

/** Reads the first form that agrees with «я». A form of the other gender behind it has another subject, so neither counts. */
function afterSelf(words: readonly string[], self: number): SpeakerGender | null {
  let gender: SpeakerGender | null = null;
  for (let at = self + 1, passed = 0; at < words.length && passed < REACH; at++) {
    const word = words[at]!;
    if (OTHERS.has(word)) break;
    const form = STATE_FORMS.get(word) ?? pastGender(word);
    if (form !== null) {
      if (gender !== null && gender !== form) return null;
      gender = form;
      continue;
    }
    if (FUNCTION_WORDS.has(word)) continue;
    // «Я думаю пришла посылка»: the verb of «я» is in the present.
    if (gender === null && /[ую](?:сь)?$/u.test(word)) return null;
    passed++;
  }
  return gender;
}

/** «Забыла я про это», «рад я за вас». */
function beforeSelf(words: readonly string[], self: number): SpeakerGender | null {
  const word = words[self - 1];
  return word === undefined ? null : (STATE_FORMS.get(word) ?? pastGender(word));
}

function pastGender(word: string): SpeakerGender | null {
  if (word.length < 3 || NOT_PAST.has(word)) return null;
  if (FEMININE.test(word)) return "female";
  return MASCULINE.test(word) || CONSONANT_PAST.test(word) ? "male" : null;
}
