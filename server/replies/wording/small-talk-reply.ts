/** Small talk and «не знаю» in the owner's own words where they were heard, else in plain ones. */
import type { StyleProfile } from "#contract/quality.ts";
import { agreeAddress } from "#server/language/address.ts";
import { disclosureAnswer } from "#server/language/disclosure.ts";
import { findPhrases, isPhrase, type PhraseKind, wordsOf } from "#server/language/lexicon.ts";
import { wantOf } from "#server/language/question.ts";
import { type SmallTalkSubject, smallTalkOf } from "#server/language/small-talk.ts";
import { capitalised, inManner, isGrave, isLatin, known, type Manner, weighted } from "#server/style/manner.ts";
import type { SayingKind } from "#server/style/sayings.ts";
import type { ReplyRequest } from "../generators/generator.ts";
import type { AsideKind } from "./asides.ts";
import { reusableReplies } from "./reuse.ts";

type Ranked = readonly { text: string; count: number }[];

const set = (phrases: string) => new Set(phrases.split(",").map((phrase) => phrase.trim()));
const POLITE_ONLY = set(
  "здравствуйте, добрый день, приветствую, приветствуем, доброго дня, доброго времени суток, доброго времени, до свидания, до свиданья, всего доброго, всего хорошего, всего наилучшего, хорошего дня",
);
const FAMILIAR_ONLY = set(
  "привет, приветик, приветики, приветули, прив, хай, здарова, здаров, здорово, дарова, хеллоу, салют, yo, hey, sup, пока, пока пока, покеда, чао, бывай, спок, хз, фз, фиг знает, норм, нормас, нормалек, здравствуй, idk, dunno, k, го, оки, океюшки",
);
const BY_THE_HOUR = /утр|вечер|день|дня|ноч|morning|afternoon|evening|night|выходных|завтра|понедельник/;

export interface Setting {
  request: ReplyRequest;
  manner: Manner;
  english: boolean;
}

/** @returns the parts of the reply, each fit to be a message of its own. */
export function smallTalkReply(request: ReplyRequest, manner: Manner): string[] {
  const subjects = smallTalkOf(request.message) ?? ["acknowledgement"];
  const setting: Setting = { request, manner, english: isLatin(request.message) };
  if (subjects[0] === "identity") return [disclosureAnswer(request.twin, setting.english ? "en" : "ru")];
  const own = ownReply(setting, subjects);
  if (own !== null) return [own];
  return subjects.map((subject) => phraseFor(subject, setting));
}

/** A greeting where the owner would greet: at the start of a talk, always back, unasked as often as they do. */
export function openingGreeting(request: ReplyRequest, manner: Manner): string | null {
  if (request.history.some((turn) => turn.role === "assistant")) return null;
  const greeted = findPhrases(wordsOf(request.message)).some((phrase) => phrase.kind === "greeting" && phrase.at <= 1);
  if (!greeted && request.plan.kind === "unknown") return null;
  if (manner.random() >= greetingShare(known(manner.profile), greeted)) return null;
  return greeting({ request, manner, english: isLatin(request.message) });
}

function greetingShare(profile: StyleProfile | null, greeted: boolean): number {
  if (profile === null) return greeted ? 1 : 0;
  return greeted ? (profile.greetings.back ?? Math.max(profile.greetings.share, 0.5)) : profile.greetings.share;
}

/** That it is not known; a mere remark is acknowledged, a request is left to the owner. @returns parts, as `smallTalkReply` */
export function unknownReply(request: ReplyRequest, manner: Manner): string[] {
  const english = isLatin(request.message);
  const setting: Setting = { request, manner, english };
  const want = wantOf(request.message);
  if (want === "statement") return wantsOwner(request) ? [leftToOwner(setting)] : remarked(setting);
  if (want === "request") {
    const decides = english
      ? "I can't answer that here: the owner has to decide it."
      : "Тут не отвечу: это нужно решать лично.";
    return [inManner(decides, manner, { smile: false })];
  }
  const next = deferral(request, english);
  if (next === null) {
    const saying = ownUnsure(setting);
    if (saying !== null) return withQuestion(hedged(saying, setting), setting);
  }
  const own = ownPhrase("unsure", manner.profile?.phrases.unsure ?? [], setting);
  const laconic = (known(manner.profile)?.length.median ?? 60) < 25;
  const polite = manner.address === "вы";
  const said = own ?? plainUnsure(english, polite, laconic, manner);
  const text = next === null ? capitalised(`${said}.`) : `${capitalised(said)}. ${capitalised(next)}.`;
  const unsure = inManner(text, manner, { smile: false });
  return next === null ? withQuestion(unsure, setting) : [unsure];
}

/** Of a sentence in the documents, as `FoundAnswer.confidence`: what shares a rare word with them is about the owner's business. */
const CONCERNS = 0.02;

/** Trouble, a complaint or an order in other words: «Понятно» would be the end of it. */
export const wantsOwner = ({ message, quotation }: ReplyRequest): boolean =>
  isGrave(message) || (quotation?.likelihood ?? 0) >= CONCERNS;

function leftToOwner({ request, manner, english }: Setting): string {
  const grave = isGrave(request.message);
  const later = english ? "I'll answer this personally, a bit later." : "Тут лучше отвечу лично, чуть позже.";
  const sorry = english ? "I'm so sorry." : "Очень жаль.";
  return inManner(grave ? `${sorry} ${later}` : later, manner, { smile: false });
}

/** Who does not know asks back as often as the owner asks. */
function withQuestion(unsure: string, setting: Setting): string[] {
  const question = asksBack(setting) ? weighted(ownAsides(setting, "question"), setting.manner.random) : null;
  return question === null ? [unsure] : [unsure, question];
}

/** The owner's own way of not knowing: what was said to anybody, and what was said as a reply. */
export function ownUnsure(setting: Setting): string | null {
  const sayings = fittingSayings("unsure", setting);
  return weighted([...sayings, ...ownAsides(setting, "unsure")], setting.manner.random);
}

/** Behind one of the owner's openers that soften, as often as not where they have some. */
function hedged(saying: string, { manner, english }: Setting): string {
  const profile = known(manner.profile);
  if (profile === null || manner.random() < 0.5) return saying;
  const openers = [...profile.openers.top, ...profile.fillers.top].filter(
    ({ text }) => HEDGES.has(text) && isLatin(text) === english,
  );
  const opener = weighted(openers, manner.random);
  if (opener === null || wordsOf(saying).some((word) => opener.includes(word))) return saying;
  const capital = saying[0] !== saying[0]!.toLowerCase();
  return `${capital ? capitalised(opener) : opener}, ${saying[0]!.toLowerCase()}${saying.slice(1)}`;
}

const HEDGES = set(
  "ну, хм, хмм, ммм, ой, ох, эх, честно говоря, если честно, честно, вообще, вообще то, короче, слушай, блин, well, hmm, hm, oh, um, uh, er, actually, lol",
);

function plainUnsure(english: boolean, polite: boolean, laconic: boolean, { profile, random }: Manner): string {
  if (english) return laconic ? "I don't know" : "I don't know, I have no information on that";
  if (known(profile) === null) return polite ? "к сожалению, не знаю" : "не знаю";
  const ways = polite
    ? ["к сожалению, точно не знаю, а гадать не хочу", "этого, к сожалению, не знаю", "честно говоря, не знаю"]
    : laconic
      ? ["не знаю", "даже не знаю", "не в курсе"]
      : ["честно, не знаю", "даже не знаю", "не в курсе, врать не буду"];
  return ways[Math.floor(random() * ways.length)]!;
}

const DEFERS = /^(?:(?:я|сейчас|щас|сначала|позже|попозже|завтра)\s+)*(?:уточню|узнаю|спрошу|выясню|проверю)(?:\s|$)/iu;

/** «уточню и напишу» where the owner puts people off so in like talks, without a promise of a time. */
function deferral({ exemplars }: ReplyRequest, english: boolean): string | null {
  if (english) return null;
  const defers = exemplars.filter(({ reply }) =>
    reply.split(/\n|(?<=[.!?])\s/).some((line) => DEFERS.test(line.trim())),
  );
  return defers.length >= 2 ? "уточню и напишу" : null;
}

/** A past reply of the owner that is such small talk itself. */
function ownReply({ request, manner, english }: Setting, subjects: readonly SmallTalkSubject[]): string | null {
  const fitting = reusableReplies(request).filter(
    ({ text }) => isSmall(text, subjects) && isLatin(text) === english && fitsHour(text, request.message),
  );
  if (fitting.length === 0) return null;
  return fitting[Math.floor(manner.random() * Math.min(3, fitting.length))]!.text;
}

const ANSWERS: Record<SmallTalkSubject, PhraseKind[]> = {
  identity: [],
  greeting: ["greeting"],
  availability: [],
  howAreYou: ["wellbeing"],
  thanks: ["welcome"],
  farewell: ["farewell"],
  acknowledgement: ["agreement", "acknowledgement"],
};

/** Whether a reply answers every subject and says nothing else. */
function isSmall(reply: string, subjects: readonly SmallTalkSubject[]): boolean {
  const words = wordsOf(reply);
  const phrases = findPhrases(words);
  if (words.length > 12 || reply.includes("http")) return false;
  const covered = new Set(phrases.flatMap((phrase) => Array.from({ length: phrase.length }, (_, i) => phrase.at + i)));
  const rest = words.filter((word, i) => !covered.has(i) && word.length > 3);
  if (rest.length > 0) return false;
  return subjects.every((subject) => phrases.some((phrase) => ANSWERS[subject].includes(phrase.kind)));
}

const fitsHour = (reply: string, message: string) => {
  const hour = BY_THE_HOUR.exec(reply.toLowerCase());
  return hour === null || message.toLowerCase().includes(hour[0]) || /хорош|добр\S{1,10} (?:дня|вечера)/i.test(reply);
};

function phraseFor(subject: SmallTalkSubject, setting: Setting): string {
  const { manner, english } = setting;
  const polite = manner.address === "вы";
  const profile = known(manner.profile);
  switch (subject) {
    case "identity":
      return disclosureAnswer(setting.request.twin, english ? "en" : "ru");
    case "greeting":
      return greeting(setting);
    case "availability":
      return here(setting);
    case "howAreYou": {
      const own = ownPhrase(
        "wellbeing",
        (profile?.phrases.wellbeing ?? []).filter((one) => WELL.has(one.text)),
        setting,
      );
      const well = own ?? (english ? "all good" : polite ? "все хорошо, спасибо" : "нормально");
      const back =
        manner.random() < 0.5 ? (english ? ", and you?" : polite ? ", а у вас как?" : ", а у тебя как?") : ".";
      return inManner(capitalised(`${well}${back}`), manner, { smile: back === "." });
    }
    case "thanks": {
      const saying = ownSaying("welcome", setting);
      if (saying !== null) return saying;
      const own = ownPhrase("welcome", profile?.phrases.welcome ?? [], setting);
      return inManner(`${capitalised(own ?? (english ? "you're welcome" : "пожалуйста"))}.`, manner);
    }
    case "farewell": {
      const saying = ownSaying("farewell", setting);
      if (saying !== null) return saying;
      const own = ownPhrase(
        "farewell",
        (profile?.farewells.top ?? []).filter(
          (one) => fitsHour(one.text, setting.request.message) && one.text !== "later",
        ),
        setting,
      );
      return inManner(`${capitalised(own ?? (english ? "bye" : polite ? "до свидания" : "пока"))}.`, manner);
    }
    case "acknowledgement":
      return acknowledged(setting);
  }
}

const WELL = set(
  "нормально, норм, нормалек, нормас, все хорошо, хорошо, отлично, все отлично, все норм, все нормально, все ок, все в порядке, потихоньку, помаленьку, пойдет, неплохо, супер, fine, i'm fine, pretty good, not bad, all good, i'm good, doing well",
);

function greeting(setting: Setting): string {
  const { manner, english, request } = setting;
  const saying = ownSaying("greeting", setting);
  if (saying !== null) return saying;
  const own = ownPhrase(
    "greeting",
    (known(manner.profile)?.greetings.top ?? []).filter(
      (one) => fitsHour(one.text, request.message) || one.text === "добрый день",
    ),
    setting,
  );
  const theirs = findPhrases(wordsOf(request.message)).find(
    (phrase) => phrase.kind === "greeting" && BY_THE_HOUR.test(phrase.text),
  );
  const familiar =
    manner.address === "ты" || (known(manner.profile) === null && /(?<!\p{L})привет/iu.test(request.message));
  const plain = english ? "hi" : familiar ? "привет" : (theirs?.text ?? "здравствуйте");
  return inManner(
    `${capitalised(own ?? plain)}${(known(manner.profile)?.exclamation.share ?? 0.5) >= 0.3 ? "!" : "."}`,
    manner,
  );
}

/** That someone listens; who asked for help is asked what it is about. */
function here({ request, manner, english }: Setting): string {
  const help = /помо[гщжч]|консульт/iu.test(request.message);
  const polite = manner.address === "вы";
  if (english) return inManner(help ? "Sure, what do you need?" : "Yes, I'm here.", manner);
  if (help)
    return inManner(polite ? "Да, конечно. Расскажите, что именно нужно." : "да, а что нужно?", manner, {
      smile: false,
    });
  return inManner(polite ? "Да, слушаю вас." : "да, тут, слушаю", manner);
}

/** Asks for what is missing: «Подскажите, пожалуйста, номер заказа». */
export function askBack(what: string, manner: Manner): string {
  const text = manner.address === "вы" ? `Подскажите, пожалуйста, ${what}.` : `Скинь ${what}, посмотрю.`;
  return inManner(text, manner, { smile: false });
}

function acknowledged(setting: Setting): string {
  return ownAcknowledgement(setting) ?? inManner(setting.english ? "Got it." : "Понятно.", setting.manner);
}

/** null where the owner has none. */
export function ownAcknowledgement(setting: Setting): string | null {
  const saying = ownSaying("acknowledgement", setting);
  if (saying !== null) return saying;
  const own = ownPhrase("acknowledgement", known(setting.manner.profile)?.phrases.acknowledgement ?? [], setting);
  return own === null ? null : inManner(`${capitalised(own)}.`, setting.manner);
}

/** Asides that may be said to this contact, in this language and at this hour. */
export function ownAsides({ request, manner, english }: Setting, kind: AsideKind): { text: string; count: number }[] {
  const refused = manner.address === "вы" ? FAMILIAR_ONLY : POLITE_ONLY;
  const grave = isGrave(request.message);
  return (request.asides ?? []).flatMap((aside) => {
    const { reply } = aside;
    if (aside.kind !== kind || isLatin(reply) !== english || !fitsHour(reply, request.message)) return [];
    if (grave && CHEERFUL.test(reply)) return [];
    if (findPhrases(wordsOf(reply)).some((phrase) => refused.has(phrase.text))) return [];
    const text = agreeAddress(reply, manner.address);
    return text === null ? [] : [{ text, count: 1 + (aside.sameContact ? 1 : 0) + 3 * aside.heard }];
  });
}

/** To a remark that nothing is known of: a reaction, or as often as the owner asks a question back, some of them behind a reaction. */
function remarked(setting: Setting): string[] {
  const { random } = setting.manner;
  const [reactions, questions] = [ownAsides(setting, "reaction"), ownAsides(setting, "question")];
  const noted = random() < 1 / (1 + reactions.length) ? ownAcknowledgement(setting) : null;
  const reaction = noted ?? weighted(reactions, random);
  // Who has nothing else to say asks back.
  const question = asksBack(setting) || reaction === null ? weighted(questions, random) : null;
  if (question !== null && (random() < 0.7 || reactions.length === 0)) return [question];
  // Words of ours that take note would end what may be a question.
  if (reaction === null) return [leftToOwner(setting)];
  return question === null ? [reaction] : [reaction, question];
}

/** Who knows nothing asks twice as much. */
const asksBack = ({ manner: { profile, random } }: Setting) => random() < 2 * (known(profile)?.question.share ?? 0);

const CHEERFUL = /[)!]|:D|(?:^|\s)(?:lol|haha)|\p{Extended_Pictographic}/iu;

/** A whole message of the owner's that may be said to this contact in this language and at this hour, the more frequent the likelier. */
const ownSaying = (kind: SayingKind, setting: Setting): string | null =>
  weighted(fittingSayings(kind, setting), setting.manner.random);

export function fittingSayings(kind: SayingKind, { request, manner, english }: Setting): Ranked {
  const refused = manner.address === "вы" ? FAMILIAR_ONLY : POLITE_ONLY;
  const grave = isGrave(request.message);
  return (known(manner.profile)?.sayings?.[kind] ?? []).filter(
    ({ text }) =>
      isLatin(text) === english &&
      fitsHour(text, request.message) &&
      !(grave && CHEERFUL.test(text)) &&
      agreeAddress(text, manner.address) === text &&
      findPhrases(wordsOf(text)).every((phrase) => !refused.has(phrase.text)),
  );
}

/** One of the owner's phrases that may be said to this contact in this language, the more frequent the likelier. */
function ownPhrase(kind: PhraseKind, ranked: Ranked, { manner, english }: Setting): string | null {
  const fitting = ranked.flatMap(({ text, count }) => {
    if (isLatin(text) !== english || !isPhrase(kind, text.split(" "))) return [];
    if (manner.address === "вы" ? FAMILIAR_ONLY.has(text) : POLITE_ONLY.has(text)) return [];
    const spoken = agreeAddress(text, manner.address);
    return spoken === null ? [] : [{ text: spoken, count }];
  });
  return weighted(fitting, manner.random);
}
