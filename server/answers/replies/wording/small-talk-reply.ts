/** Composes small talk and «не знаю» from the owner's own phrases, or from plain ones when the owner has none. */
import type { StyleProfile } from "#contract/quality.ts";
import { agreeAddress } from "#server/knowledge/language/address.ts";
import { disclosureAnswer } from "#server/knowledge/language/disclosure.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { isComplaint, remarkOf, SAD_FACE } from "#server/knowledge/language/remarks.ts";
import { type SmallTalkSubject, smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { findPhrases, isPhrase, type PhraseKind, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { SetPhraseKind } from "#server/knowledge/style/set-phrases.ts";
import {
  capitalised,
  followableProfile,
  isGrave,
  isLatin,
  type TargetStyle,
  transferStyle,
  weighted,
} from "#server/knowledge/style/style-transfer.ts";
import type { FillerKind } from "../owner-words/filler-replies.ts";
import type { ReplyRequest } from "../reply-request.ts";
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
  targetStyle: TargetStyle;
  english: boolean;
}

/** @returns the parts of the reply; each can be sent as a separate message */
export function smallTalkReply(request: ReplyRequest, targetStyle: TargetStyle): string[] {
  const remark = remarkOf(request.message);
  const subjects = smallTalkOf(request.message) ?? [remark ?? "acknowledgement"];
  const setting: Setting = { request, targetStyle, english: isLatin(request.message) };
  if (subjects[0] === "identity") return [disclosureAnswer(request.twin, setting.english ? "en" : "ru")];
  const own = ownReply(setting, subjects);
  if (own !== null) return [own];
  return subjects.map((subject) => phraseFor(subject, setting));
}

/** Returns a greeting when the owner would open with one: always to return a greeting, else as often as the owner greets unasked. */
export function openingGreeting(request: ReplyRequest, targetStyle: TargetStyle): string | null {
  if (request.history.some((turn) => turn.role === "assistant")) return null;
  const greeted = findPhrases(wordsOf(request.message)).some((phrase) => phrase.kind === "greeting" && phrase.at <= 1);
  if (!greeted && request.plan.kind === "unknown") return null;
  if (targetStyle.random() >= greetingShare(followableProfile(targetStyle.profile), greeted)) return null;
  return greeting({ request, targetStyle, english: isLatin(request.message) });
}

function greetingShare(profile: StyleProfile | null, greeted: boolean): number {
  if (profile === null) return greeted ? 1 : 0;
  return greeted ? (profile.greetings.back ?? Math.max(profile.greetings.share, 0.5)) : profile.greetings.share;
}

/** Says that the answer is unknown: a remark is acknowledged, a request is left to the owner. @returns parts like `smallTalkReply` */
export function unknownReply(request: ReplyRequest, targetStyle: TargetStyle): string[] {
  const english = isLatin(request.message);
  const setting: Setting = { request, targetStyle, english };
  const want = wantOf(request.message);
  if (isInTrouble(request)) return [leftToOwner(setting)];
  if (want === "statement") return wantsOwner(request) ? [leftToOwner(setting)] : remarked(setting);
  if (want === "request") {
    const decides = english
      ? "I can't answer that here: the owner has to decide it."
      : "Тут не отвечу: это нужно решать лично.";
    return [transferStyle(decides, targetStyle, { smile: false })];
  }
  const next = deferral(request, english);
  if (next === null) {
    const setPhrase = ownUncertaintyPhrase(setting);
    if (setPhrase !== null) return withQuestion(hedged(setPhrase, setting), setting);
  }
  const own = ownPhrase("unsure", targetStyle.profile?.phrases.unsure ?? [], setting);
  const laconic = (followableProfile(targetStyle.profile)?.length.median ?? 60) < 25;
  const polite = targetStyle.address === "вы";
  const said = own ?? plainUnsure(english, polite, laconic, targetStyle);
  const text = next === null ? capitalised(`${said}.`) : `${capitalised(said)}. ${capitalised(next)}.`;
  const unsure = transferStyle(text, targetStyle, { smile: false });
  return next === null ? withQuestion(unsure, setting) : [unsure];
}

/**
 * Likelihood of a quotation (`FoundAnswer.confidence`) from which a message shares a rare word with the documents and so concerns the
 * owner's business.
 */
export const BUSINESS_LIKELIHOOD = 0.02;

/** Whether the message is trouble, a complaint or an order in disguise, to which «Понятно» would be a dismissive answer. */
export const wantsOwner = ({ message, quotation }: ReplyRequest): boolean =>
  isGrave(message) || (quotation?.likelihood ?? 0) >= BUSINESS_LIKELIHOOD;

/** Returns words of sympathy for a message about trouble; null when there is none. A complaint is acknowledged without condolences. */
export function sympathyFor({ message }: Pick<ReplyRequest, "message">, english: boolean): string | null {
  if (isGrave(message) || SAD_FACE.test(message)) return english ? "I'm so sorry." : "Очень жаль.";
  return isInTrouble({ message }) ? (english ? "I hear you." : "Понимаю.") : null;
}

/** Whether the message reports trouble, even as a question; it is acknowledged and left to the owner. */
export const isInTrouble = ({ message }: Pick<ReplyRequest, "message">): boolean => isComplaint(message, isGrave);

function leftToOwner({ request, targetStyle, english }: Setting): string {
  const later = english ? "I'll answer this personally, a bit later." : "Тут лучше отвечу лично, чуть позже.";
  const met = sympathyFor(request, english);
  return transferStyle(met === null ? later : `${met} ${later}`, targetStyle, { smile: false });
}

function withQuestion(unsure: string, setting: Setting): string[] {
  const question = asksBack(setting) ? weighted(ownFillers(setting, "question"), setting.targetStyle.random) : null;
  return question === null ? [unsure] : [unsure, question];
}

export function ownUncertaintyPhrase(setting: Setting): string | null {
  const setPhrases = fittingSetPhrases("unsure", setting);
  return weighted([...setPhrases, ...ownFillers(setting, "unsure")], setting.targetStyle.random);
}

/** Prepends one of the owner's softening openers, half the time, if there are any. */
function hedged(setPhrase: string, { targetStyle, english }: Setting): string {
  const profile = followableProfile(targetStyle.profile);
  if (profile === null || targetStyle.random() < 0.5) return setPhrase;
  const openers = [...profile.openers.top, ...profile.fillers.top].filter(
    ({ text }) => HEDGES.has(text) && isLatin(text) === english,
  );
  const opener = weighted(openers, targetStyle.random);
  if (opener === null || wordsOf(setPhrase).some((word) => opener.includes(word))) return setPhrase;
  const capital = setPhrase[0] !== setPhrase[0]!.toLowerCase();
  return `${capital ? capitalised(opener) : opener}, ${setPhrase[0]!.toLowerCase()}${setPhrase.slice(1)}`;
}

const HEDGES = set(
  "ну, хм, хмм, ммм, ой, ох, эх, честно говоря, если честно, честно, вообще, вообще то, короче, слушай, блин, well, hmm, hm, oh, um, uh, er, actually, lol",
);

function plainUnsure(english: boolean, polite: boolean, laconic: boolean, { profile, random }: TargetStyle): string {
  if (english) return laconic ? "I don't know" : "I don't know, I have no information on that";
  if (followableProfile(profile) === null) return polite ? "к сожалению, не знаю" : "не знаю";
  const ways = polite
    ? ["к сожалению, точно не знаю, а гадать не хочу", "этого, к сожалению, не знаю", "честно говоря, не знаю"]
    : laconic
      ? ["не знаю", "даже не знаю", "не в курсе"]
      : ["честно, не знаю", "даже не знаю", "не в курсе, врать не буду"];
  return ways[Math.floor(random() * ways.length)]!;
}

const DEFERS = /^(?:(?:я|сейчас|щас|сначала|позже|попозже|завтра)\s+)*(?:уточню|узнаю|спрошу|выясню|проверю)(?:\s|$)/iu;

/** Returns «уточню и напишу», without a time, if the owner defers so in similar conversations; else null. */
function deferral({ replyExamples }: ReplyRequest, english: boolean): string | null {
  if (english) return null;
  const defers = replyExamples.filter(({ reply }) =>
    reply.split(/\n|(?<=[.!?])\s/).some((line) => DEFERS.test(line.trim())),
  );
  return defers.length >= 2 ? "уточню и напишу" : null;
}

function ownReply({ request, targetStyle, english }: Setting, subjects: readonly SmallTalkSubject[]): string | null {
  const fitting = reusableReplies(request).filter(
    ({ text }) => isSmall(text, subjects) && isLatin(text) === english && fitsHour(text, request.message),
  );
  if (fitting.length === 0) return null;
  return fitting[Math.floor(targetStyle.random() * Math.min(3, fitting.length))]!.text;
}

const ANSWERS: Record<SmallTalkSubject, PhraseKind[]> = {
  identity: [],
  greeting: ["greeting"],
  availability: [],
  howAreYou: ["wellbeing"],
  thanks: ["welcome"],
  farewell: ["farewell"],
  acknowledgement: ["agreement", "acknowledgement"],
  joy: ["thanks"],
  waiting: ["agreement", "acknowledgement"],
};

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
  const { targetStyle, english } = setting;
  const polite = targetStyle.address === "вы";
  const profile = followableProfile(targetStyle.profile);
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
      // The owner's mood is unknown, so without his own words the twin thanks and asks back.
      if (own === null) {
        const thanks = english
          ? "Thanks for asking! How are you?"
          : polite
            ? "Спасибо, что спрашиваете! А у вас как дела?"
            : "Спасибо, что спрашиваешь! А у тебя как дела?";
        return transferStyle(thanks, targetStyle, { smile: false });
      }
      const back =
        targetStyle.random() < 0.5 ? (english ? ", and you?" : polite ? ", а у вас как?" : ", а у тебя как?") : ".";
      return transferStyle(capitalised(`${own}${back}`), targetStyle, { smile: back === "." });
    }
    case "thanks": {
      const setPhrase = ownSetPhrase("welcome", setting);
      if (setPhrase !== null) return setPhrase;
      const own = ownPhrase("welcome", profile?.phrases.welcome ?? [], setting);
      return transferStyle(`${capitalised(own ?? (english ? "you're welcome" : "пожалуйста"))}.`, targetStyle);
    }
    case "farewell": {
      const setPhrase = ownSetPhrase("farewell", setting);
      if (setPhrase !== null) return setPhrase;
      const own = ownPhrase(
        "farewell",
        (profile?.farewells.top ?? []).filter(
          (one) => fitsHour(one.text, setting.request.message) && one.text !== "later",
        ),
        setting,
      );
      return transferStyle(`${capitalised(own ?? (english ? "bye" : polite ? "до свидания" : "пока"))}.`, targetStyle);
    }
    case "joy":
      return transferStyle(english ? "Thanks for telling me!" : "Спасибо, что написали!", targetStyle);
    case "acknowledgement":
    case "waiting":
      return acknowledged(setting);
  }
}

const WELL = set(
  "нормально, норм, нормалек, нормас, все хорошо, хорошо, отлично, все отлично, все норм, все нормально, все ок, все в порядке, потихоньку, помаленьку, пойдет, неплохо, супер, fine, i'm fine, pretty good, not bad, all good, i'm good, doing well",
);

function greeting(setting: Setting): string {
  const { targetStyle, english, request } = setting;
  const setPhrase = ownSetPhrase("greeting", setting);
  if (setPhrase !== null) return setPhrase;
  const own = ownPhrase(
    "greeting",
    (followableProfile(targetStyle.profile)?.greetings.top ?? []).filter(
      (one) => fitsHour(one.text, request.message) || one.text === "добрый день",
    ),
    setting,
  );
  const theirs = findPhrases(wordsOf(request.message)).find(
    (phrase) => phrase.kind === "greeting" && BY_THE_HOUR.test(phrase.text),
  );
  const familiar =
    targetStyle.address === "ты" ||
    (followableProfile(targetStyle.profile) === null && /(?<!\p{L})привет/iu.test(request.message));
  const plain = english ? "hi" : familiar ? "привет" : (theirs?.text ?? "здравствуйте");
  return transferStyle(
    `${capitalised(own ?? plain)}${(followableProfile(targetStyle.profile)?.exclamation.share ?? 0.5) >= 0.3 ? "!" : "."}`,
    targetStyle,
  );
}

/** Confirms that the twin is available; for a request for help it asks what the matter is. */
function here({ request, targetStyle, english }: Setting): string {
  const help = /помо[гщжч]|консульт/iu.test(request.message);
  const polite = targetStyle.address === "вы";
  if (english) return transferStyle(help ? "Sure, what do you need?" : "Yes, I'm here.", targetStyle);
  if (help)
    return transferStyle(polite ? "Да, конечно. Расскажите, что именно нужно." : "да, а что нужно?", targetStyle, {
      smile: false,
    });
  return transferStyle(polite ? "Да, слушаю вас." : "да, тут, слушаю", targetStyle);
}

export function askBack(what: string, targetStyle: TargetStyle): string {
  const text = targetStyle.address === "вы" ? `Подскажите, пожалуйста, ${what}.` : `Скинь ${what}, посмотрю.`;
  return transferStyle(text, targetStyle, { smile: false });
}

function acknowledged(setting: Setting): string {
  return ownAcknowledgement(setting) ?? transferStyle(setting.english ? "Got it." : "Понятно.", setting.targetStyle);
}

export function ownAcknowledgement(setting: Setting): string | null {
  const setPhrase = ownSetPhrase("acknowledgement", setting);
  if (setPhrase !== null) return setPhrase;
  const own = ownPhrase(
    "acknowledgement",
    followableProfile(setting.targetStyle.profile)?.phrases.acknowledgement ?? [],
    setting,
  );
  return own === null ? null : transferStyle(`${capitalised(own)}.`, setting.targetStyle);
}

export function ownFillers(
  { request, targetStyle, english }: Setting,
  kind: FillerKind,
): { text: string; count: number }[] {
  const refused = targetStyle.address === "вы" ? FAMILIAR_ONLY : POLITE_ONLY;
  const grave = isGrave(request.message);
  return (request.fillers ?? []).flatMap((filler) => {
    const { reply } = filler;
    if (filler.kind !== kind || isLatin(reply) !== english || !fitsHour(reply, request.message)) return [];
    if (grave && CHEERFUL.test(reply)) return [];
    if (findPhrases(wordsOf(reply)).some((phrase) => refused.has(phrase.text))) return [];
    const text = agreeAddress(reply, targetStyle.address);
    return text === null ? [] : [{ text, count: 1 + (filler.sameContact ? 1 : 0) + 3 * filler.heard }];
  });
}

/** Responds to a remark about an unknown subject: with a reaction, a question as often as the owner asks one, or both. */
function remarked(setting: Setting): string[] {
  const { random } = setting.targetStyle;
  const [reactions, questions] = [ownFillers(setting, "reaction"), ownFillers(setting, "question")];
  const noted = random() < 1 / (1 + reactions.length) ? ownAcknowledgement(setting) : null;
  const reaction = noted ?? weighted(reactions, random);
  const question = asksBack(setting) || reaction === null ? weighted(questions, random) : null;
  if (question !== null && (random() < 0.7 || reactions.length === 0)) return [question];
  // A generic acknowledgement would end the conversation, although the remark may be a question.
  if (reaction === null) return [leftToOwner(setting)];
  return question === null ? [reaction] : [reaction, question];
}

/** Asking back is twice as likely as usual when the answer is unknown. */
const asksBack = ({ targetStyle: { profile, random } }: Setting) =>
  random() < 2 * (followableProfile(profile)?.question.share ?? 0);

const CHEERFUL = /[)!]|:D|(?:^|\s)(?:lol|haha)|\p{Extended_Pictographic}/iu;

const ownSetPhrase = (kind: SetPhraseKind, setting: Setting): string | null =>
  weighted(fittingSetPhrases(kind, setting), setting.targetStyle.random);

export function fittingSetPhrases(kind: SetPhraseKind, { request, targetStyle, english }: Setting): Ranked {
  const refused = targetStyle.address === "вы" ? FAMILIAR_ONLY : POLITE_ONLY;
  const grave = isGrave(request.message);
  return (followableProfile(targetStyle.profile)?.setPhrases?.[kind] ?? []).filter(
    ({ text }) =>
      isLatin(text) === english &&
      fitsHour(text, request.message) &&
      !(grave && CHEERFUL.test(text)) &&
      agreeAddress(text, targetStyle.address) === text &&
      findPhrases(wordsOf(text)).every((phrase) => !refused.has(phrase.text)),
  );
}

function ownPhrase(kind: PhraseKind, ranked: Ranked, { targetStyle, english }: Setting): string | null {
  const fitting = ranked.flatMap(({ text, count }) => {
    if (isLatin(text) !== english || !isPhrase(kind, text.split(" "))) return [];
    if (targetStyle.address === "вы" ? FAMILIAR_ONLY.has(text) : POLITE_ONLY.has(text)) return [];
    const spoken = agreeAddress(text, targetStyle.address);
    return spoken === null ? [] : [{ text: spoken, count }];
  });
  return weighted(fitting, targetStyle.random);
}
