/** Closed lists of set phrases, Russian and English, and the search that finds them in a text's words. */

export type PhraseKind =
  | "greeting"
  | "farewell"
  | "thanks"
  | "welcome"
  | "howAreYou"
  | "wellbeing"
  | "acknowledgement"
  | "agreement"
  | "unsure"
  | "filler"
  | "colloquial";

/** A phrase at word `at`, `length` words long; `text` is the list's spelling (ё as е). */
export interface FoundPhrase {
  kind: PhraseKind;
  text: string;
  at: number;
  length: number;
}

const list = (text: string) => text.split(",").map((phrase) => phrase.trim());

const PHRASES: Record<PhraseKind, string[]> = {
  greeting:
    list(`привет, приветик, приветики, приветствую, приветствуем, приветули, прив, здравствуй, здравствуйте, здрасте, здрасьте, здрасти,
    здорово, здарова, здаров, дарова, хай, ку, хеллоу, салют, добрый день, доброе утро, добрый вечер, доброго дня, доброго утра, доброго вечера,
    доброго времени суток, доброго времени, день добрый, утро доброе, вечер добрый, утречко, доброе утречко, с добрым утром,
    hi, hello, hey, hi there, hey there, hello there, yo, hiya, howdy, good morning, good afternoon, good evening, greetings, morning`),
  farewell:
    list(`пока, пока пока, покеда, до свидания, до свиданья, досвидания, до встречи, до завтра, до скорого, до связи, на связи, увидимся, всего доброго,
    всего хорошего, всего наилучшего, хорошего дня, хорошего вечера, хороших выходных, доброй ночи, спокойной ночи, сладких снов, спокойной, спок, бывай,
    бывайте, чао, счастливо, удачи, прощай, прощайте, созвонимся, до понедельника, bye, bye bye, goodbye, good bye, good night, goodnight, see you, see ya,
    see you later, cya, later, take care, have a nice day, have a good one, farewell, ttyl`),
  thanks:
    list(`спасибо, спасибо большое, большое спасибо, огромное спасибо, спасибо огромное, спасибочки, спс, пасиб, пасиба, спасиб, благодарю, благодарю вас, благодарю тебя,
    благодарен, благодарна, спасибо вам, спасибо тебе, от души, мерси, сенкс, thanks, thank you, thx, ty, thank you very much, thank you so much, thanks a lot,
    many thanks, cheers, much appreciated`),
  welcome:
    list(`пожалуйста, не за что, не за чо, незачто, да не за что, всегда пожалуйста, обращайся, обращайтесь, на здоровье, рад помочь, рада помочь, рад был помочь,
    рада была помочь, без проблем, не вопрос, не стоит благодарности, да пожалуйста, пожалуста, пожалста, пжлст, you are welcome, you're welcome, youre welcome, no problem, np, my pleasure, any time,
    anytime, glad to help, no worries, don't mention it`),
  howAreYou:
    list(`как дела, как ты, как вы, как поживаешь, как поживаете, как жизнь, как сам, как сама, как сами, как настроение, как делишки, как твои дела, как ваши дела,
    как дела у тебя, как дела у вас, как оно, как успехи, что нового, чего нового, че нового, чё нового, что делаешь, чем занят, чем занята, чо как, че как, чё как, как самочувствие, как здоровье, как жизнь молодая,
    у тебя как дела, у вас как дела, как у тебя дела, как у вас дела, как у тебя, как у вас, как день, как прошел день, how are you, how are you doing, how r u, how is it going, how's it going, hows it going, how are things, what's up, whats up, sup, wassup, how do you do`),
  wellbeing:
    list(`нормально, норм, нормалек, нормас, все хорошо, всё хорошо, хорошо, отлично, все отлично, все норм, все нормально, все ок, все в порядке, потихоньку,
    помаленьку, пойдет, ничего, неплохо, супер, прекрасно, замечательно, так себе, бывало и лучше, лучше всех, живой, живая, жить можно, i'm fine, im fine, fine, i'm good, im good, pretty good, not bad,
    doing well, all good, great, i'm ok, im ok, so so`),
  acknowledgement: list(
    `понял, поняла, поняли, понятно, понятненько, ясно, ясненько, принято, принял, приняла, ага, угу, учту, услышал, услышала, got it, i see, noted, understood, roger`,
  ),
  agreement:
    list(`ок, окей, океюшки, оки, окей хорошо, хорошо, ладно, ладненько, давай, давайте, договорились, конечно, разумеется, идет, го, добро, лады, так точно, без проблем, да конечно,
    ok, okay, sure, of course, deal, alright, sounds good, yep, yeah, k`),
  unsure:
    list(`не знаю, я не знаю, даже не знаю, хз, без понятия, понятия не имею, не в курсе, я не в курсе, не уверен, не уверена, затрудняюсь ответить, сложно сказать, трудно сказать,
    не могу сказать, не подскажу, честно не знаю, фиг знает, кто его знает, фз, i don't know, i dont know, don't know, dont know, dunno, no idea, idk, not sure, i'm not sure, no clue, i have no idea`),
  filler:
    list(`ну, типа, короче, кстати, вообще, вообще то, в общем, вобщем, собственно, просто, значит, как бы, так сказать, прикинь, блин, слушай, слушайте, смотри, смотрите, походу,
    наверное, кажется, вроде, вроде бы, видимо, честно говоря, если честно, скажем так, допустим, таки, как говорится, по сути, по факту, в принципе, реально, знаешь, знаете, понимаешь, понимаете, грубо говоря, строго говоря,
    well, so, like, you know, i mean, actually, basically, anyway, btw, by the way, kinda, sort of, kind of, maybe, hmm, hm, um, uh, lol, haha`),
  colloquial:
    list(`щас, ща, счас, че, чё, чо, шо, ваще, вапще, тока, токо, скока, стока, нету, норм, пжл, плз, плиз, пож, спс, пасиб, прив, хз, оч, кст, мб, имхо, чел, тыща, тыщ, тыщи, походу, седня, сёдня,
    севодня, наверн, навер, че то, чё то, чо то, чето, чёто, ессно, естесно, канеш, канешн, канешна, кароч, корочь, какбы, ихний, хотяб, пох, пон, лан, оке, незнаю, нез, неа, ага, угу, эт, тя, тож,
    u, ur, r, thx, pls, plz, gonna, wanna, gotta, dunno, cuz, coz, idk, imo, imho, afaik, omg, lol, rofl, lemme, gimme, ain't, yeah, nope, yep, kinda, hmm, btw, brb, np, ty, w8, gr8`),
};

/**
 * Words that may open a message without naming its subject; they are counted as the owner's openers. Prepositions, pronouns and
 * interrogatives are left out, because the subject itself begins with them.
 */
export const OPENERS = new Set(
  list(`ну, да, нет, не, так, а, и, но, ок, окей, хорошо, ладно, ага, угу, понял, поняла, понятно, ясно, слушай, слушайте, смотри, смотрите, короче, кстати, вообще, вот, типа,
    блин, ой, ах, эх, хм, хмм, ммм, мм, конечно, давай, давайте, спасибо, может, наверное, наверно, просто, потом, тогда, сейчас, щас, значит, собственно, допустим, видимо, кажется, вроде,
    ok, okay, yeah, yes, no, well, so, hmm, hm, oh, ah, and, but, just, maybe, sure, btw, lol, haha, hey, hi, actually, anyway, ahh, nope, yep, er, um, uh`),
);

/** Words of grammar and style rather than subject, after the usual lists of authorship studies. */
export const FUNCTION_WORDS = new Set(
  list(`и, в, во, не, что, он, на, я, с, со, как, а, то, все, она, так, его, но, да, ты, к, у, же, вы, за, бы, по, только, ее, мне, было, вот, от, меня, еще, нет, о, из, ему, теперь, когда, даже, ну, ли, если, уже, или, ни, быть, был, него, до, вас,
    опять, вам, ведь, там, потом, себя, ничего, ей, может, они, тут, где, есть, надо, ней, для, мы, тебя, их, чем, была, сам, чтоб, чтобы, без, будто, чего, раз, тоже, себе, под, будет, ж, тогда, кто, этот, того, потому, этого, какой, совсем, ним,
    здесь, этом, почти, мой, тем, нее, сейчас, были, куда, зачем, всех, никогда, можно, при, об, другой, хоть, после, над, больше, тот, через, эти, нас, про, всего, них, какая, много, разве, эту, моя, впрочем, свою, этой, перед, иногда, лучше, чуть, том,
    нельзя, такой, им, более, всегда, конечно, всю, между, это, просто, вообще, типа, короче, кстати, очень, наверное, вроде,
    the, of, and, to, a, in, that, it, is, was, i, for, on, you, he, be, with, as, by, at, have, are, this, not, but, had, his, they, from, she, which, or, we, an, there, her, were, one, do, been, all, their, has, would, will, what, if, can, when,
    so, my, no, me, your, just, it's, i'm, don't, then, about, up, out, how, than, them, some, like, also, its`),
);

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;

/** The words of all set phrases. */
export const PHRASE_WORDS: ReadonlySet<string> = new Set(
  Object.values(PHRASES).flatMap((phrases) => phrases.flatMap((phrase) => phrase.split(/[^\p{L}]+/u))),
);

const plainOf = (text: string) => text.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'");

/** Returns lower-case words with ё as е; a hyphen separates words («что-то» is two). */
export function wordsOf(text: string): string[] {
  return plainOf(text).match(WORD) ?? [];
}

/** Returns the words of `wordsOf` as typed, with the text before each and after the last one. */
export function placesOf(text: string): { typed: string[]; gaps: string[] } {
  const plain = plainOf(text);
  const typed: string[] = [];
  const gaps: string[] = [];
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    gaps.push(plain.slice(end, index));
    end = index + word.length;
    typed.push(text.slice(index, end));
  }
  gaps.push(plain.slice(end));
  return { typed, gaps };
}

interface Entry {
  kind: PhraseKind;
  text: string;
  words: string[];
}

const byFirstWord = new Map<string, Entry[]>();
for (const kind of Object.keys(PHRASES) as PhraseKind[]) {
  const seen = new Set<string>();
  for (const phrase of PHRASES[kind]) {
    const words = wordsOf(phrase);
    const text = words.join(" ");
    if (words.length === 0 || seen.has(text)) continue;
    seen.add(text);
    const entries = byFirstWord.get(words[0]!) ?? [];
    entries.push({ kind, text, words });
    byFirstWord.set(words[0]!, entries);
  }
}
for (const entries of byFirstWord.values()) entries.sort((a, b) => b.words.length - a.words.length);

/** Returns the longest phrases of every list in `words` (from `wordsOf`); phrases of different lists may overlap. */
export function findPhrases(words: string[]): FoundPhrase[] {
  const found: FoundPhrase[] = [];
  const ends = new Map<PhraseKind, number>();
  for (let at = 0; at < words.length; at++) {
    const entries = byFirstWord.get(words[at]!);
    if (entries === undefined) continue;
    for (const { kind, text, words: phrase } of entries) {
      if ((ends.get(kind) ?? 0) > at || !phrase.every((word, i) => words[at + i] === word)) continue;
      ends.set(kind, at + phrase.length);
      found.push({ kind, text, at, length: phrase.length });
    }
  }
  return found;
}

const sets = new Map<PhraseKind, Set<string>>();
export function isPhrase(kind: PhraseKind, words: string[]): boolean {
  let set = sets.get(kind);
  if (set === undefined) {
    set = new Set(PHRASES[kind].map((phrase) => wordsOf(phrase).join(" ")));
    sets.set(kind, set);
  }
  return set.has(words.join(" "));
}
