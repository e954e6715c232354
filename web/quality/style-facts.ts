/** Describes a style profile to its owner in plain words. */
import type { StyleProfile } from "#contract/quality.ts";
import { formatFewShare } from "#web/i18n/few-share.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

interface StyleFact {
  title: string;
  text: string;
  examples: readonly string[];
}

const MIN_HABIT_SHARE = 0.02;

export function styleFacts(profile: StyleProfile): StyleFact[] {
  return [
    lengthOf(profile),
    burstOf(profile),
    addressOf(profile),
    caseOf(profile),
    stopOf(profile),
    ...marksOf(profile),
    ranked("Приветствия", profile.greetings, "Начинаете разговор с приветствия"),
    ranked("Прощания", profile.farewells, "Прощаетесь"),
    ranked("Слова-связки", profile.fillers, "Встречаются"),
    ranked("Разговорные слова", profile.colloquial, "Встречаются"),
    openersOf(profile),
    functionWordsOf(profile),
    typosOf(profile),
    typographyOf(profile),
    latinOf(profile),
    delayOf(profile),
    hoursOf(profile),
  ].filter((fact) => fact !== null);
}

const quoted = (texts: readonly { text: string }[], limit = 5) =>
  texts
    .slice(0, limit)
    .map(({ text }) => `«${text}»`)
    .join(", ");

function lengthOf({ length }: StyleProfile): StyleFact {
  const words = plural(length.words, ["слово", "слова", "слов"]);
  const range = length.p25 === length.p75 ? "" : ` Половина сообщений — от ${length.p25} до ${length.p75} знаков.`;
  return {
    title: "Длина",
    text: `Обычное сообщение — ${words} (${plural(length.median, ["знак", "знака", "знаков"])}).${range}`,
    examples: length.examples,
  };
}

function burstOf({ turn }: StyleProfile): StyleFact {
  const text =
    turn.several >= 0.15
      ? `Часто пишете несколько сообщений подряд: так в ${formatShare(turn.several)} случаев.`
      : "Обычно укладываетесь в одно сообщение.";
  return { title: "Сообщения подряд", text, examples: turn.several < MIN_HABIT_SHARE ? [] : turn.examples };
}

function addressOf({ address }: StyleProfile): StyleFact | null {
  const { prefers, familiar, examples } = address;
  if (prefers === null || familiar === null) return null;
  const text =
    prefers === "mixed"
      ? `С одними на «ты», с другими на «вы»: «ты» в ${formatShare(familiar)} обращений.`
      : `Почти всегда на «${prefers}»: в ${formatShare(prefers === "ты" ? familiar : 1 - familiar)} обращений.`;
  return { title: "«Ты» или «вы»", text, examples: prefers === "вы" ? examples.polite : examples.familiar };
}

function caseOf({ lowerCaseStart: { share, examples } }: StyleProfile): StyleFact {
  const text =
    share < MIN_HABIT_SHARE
      ? "Начинаете сообщения с большой буквы."
      : `С маленькой буквы начинаются ${formatShare(share)} ваших сообщений.`;
  return { title: "Первая буква", text, examples };
}

function stopOf({ finalFullStop: { share, examples } }: StyleProfile): StyleFact {
  const text =
    share < MIN_HABIT_SHARE
      ? "Точку в конце сообщения не ставите."
      : `Точкой заканчиваются ${formatShare(share)} сообщений без других знаков в конце.`;
  return { title: "Точка в конце", text, examples };
}

function marksOf({ brackets, emoji, exclamation, ellipsis }: StyleProfile): StyleFact[] {
  const facts = [
    habit("Скобки-улыбки", brackets, quoted(brackets.top, 3)),
    habit("Эмодзи", emoji, emoji.top.map(({ text }) => text).join(" ")),
    habit("Восклицания", exclamation),
    habit("Многоточия", ellipsis),
  ].filter((fact) => fact !== null);
  return facts.length > 0
    ? facts
    : [{ title: "Знаки и эмодзи", text: "Пишете почти без улыбок и эмодзи.", examples: [] }];
}

function habit(
  title: string,
  { share, examples }: { share: number; examples: readonly string[] },
  forms?: string,
): StyleFact | null {
  if (share < MIN_HABIT_SHARE) return null;
  return { title, text: `${forms ? `${forms} — в` : "В"} ${formatShare(share)} сообщений.`, examples };
}

function ranked(
  title: string,
  { share, top, examples }: { share: number; top: readonly { text: string }[]; examples: readonly string[] },
  verb: string,
): StyleFact | null {
  if (top.length === 0 || share < MIN_HABIT_SHARE) return null;
  return { title, text: `${verb} в ${formatShare(share)} случаев: ${quoted(top)}.`, examples };
}

function openersOf({ openers }: StyleProfile): StyleFact | null {
  if (openers.top.length === 0 || openers.share < MIN_HABIT_SHARE) return null;
  return { title: "Начала", text: `Любимые первые слова: ${quoted(openers.top, 6)}.`, examples: openers.examples };
}

function functionWordsOf({ functionWords, further }: StyleProfile): StyleFact | null {
  if (functionWords.length === 0) return null;
  const words = functionWords.slice(0, 5).map(({ text, perMille }) => `«${text}»\u00a0—\u00a0${Math.round(perMille)}`);
  return {
    title: "Короткие слова",
    text: `Чаще всего, на тысячу слов: ${words.join(", ")}.`,
    examples: further?.functionWords ?? [],
  };
}

/** Misspellings are a habit from half a percent of all messages on, because even a few in a hundred are many. */
function typosOf({ typos }: StyleProfile): StyleFact | null {
  if (typos === undefined) return null;
  const [left, mended] = [typos.share, typos.mended.share].map((share) => share >= 0.005);
  if (!left && !mended) return null;
  const kept = left
    ? `Написания с ошибкой, которые вы оставляете: ${quoted(typos.top)} (${formatFewShare(typos.share)} сообщений).`
    : null;
  const follows = mended
    ? `Опечатки правите следующим сообщением, со звездочкой (${formatFewShare(typos.mended.share)} сообщений).`
    : null;
  return {
    title: "Опечатки",
    text: [kept, follows].filter((text) => text !== null).join(" "),
    examples: left ? typos.examples : typos.mended.examples,
  };
}

function typographyOf({ typography: { yo, longDash, guillemets }, further }: StyleProfile): StyleFact | null {
  const said = [
    yo === null ? null : yo >= 0.5 ? "букву «ё» пишете" : "вместо «ё» пишете «е»",
    longDash === null ? null : longDash >= 0.5 ? "тире длинное" : "вместо тире дефис",
    guillemets === null ? null : guillemets >= 0.5 ? "кавычки «елочкой»" : 'кавычки прямые (")',
  ].filter((text) => text !== null);
  if (said.length === 0) return null;
  const text = said.join(", ");
  return {
    title: "Ё, тире, кавычки",
    text: `${text[0]!.toUpperCase()}${text.slice(1)}.`,
    examples: further?.typography ?? [],
  };
}

function latinOf({ latin }: StyleProfile): StyleFact | null {
  if (latin.share < 0.05) return null;
  return {
    title: "Латиница",
    text: `Слова латиницей есть в ${formatShare(latin.share)} сообщений.`,
    examples: latin.examples,
  };
}

function delayOf({ replyDelay, further }: StyleProfile): StyleFact | null {
  if (replyDelay === null) return null;
  const half = duration(replyDelay.median);
  return {
    title: "Скорость ответа",
    text: `Половина ответов приходит не позже чем через ${half}, четверть — за ${duration(replyDelay.p25)}.`,
    examples: (further?.replyDelay ?? []).map(({ text, seconds }) => `${text} (через\u00a0${duration(seconds)})`),
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return plural(Math.max(1, Math.round(seconds)), ["секунду", "секунды", "секунд"]);
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return plural(minutes, ["минуту", "минуты", "минут"]);
  return `${formatNumber(Math.round(minutes / 6) / 10)} ч`;
}

const clockOf = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;

function hoursOf({ hours, further }: StyleProfile): StyleFact | null {
  if (hours === null) return null;
  const busiest = hours.map((share, hour) => ({ share, hour })).toSorted((a, b) => b.share - a.share)[0]!;
  const night = hours.slice(0, 7).reduce((sum, share) => sum + share, 0);
  const late = night >= 0.05 ? ` Ночью, до семи утра, — ${formatShare(night)} сообщений.` : " Ночью почти не пишете.";
  const next = (busiest.hour + 1) % 24;
  return {
    title: "Часы",
    text: `Больше всего пишете с ${busiest.hour}:00 до ${next}:00 по московскому времени.${late}`,
    examples: (further?.hours ?? []).map(({ text, minutes }) => `${text} (в\u00a0${clockOf(minutes)})`),
  };
}
