/** Describes length and pace: message length, several messages in a row, pauses, hours, language. */
import type { StyleProfile } from "#contract/quality.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import type { Claim, ClaimRule } from "./claim.ts";
import { frequencyOf } from "./frequency.ts";
import { countOfNeuter, genitive, saidInWords } from "./numerals.ts";

/** Minimum number of turns before pauses and hours count as a habit. */
const MIN_TURNS = 40;
const WORD_FORMS = ["слово", "слова", "слов"] as const;

export const rhythm: ClaimRule = (profile) => [
  lengthOf(profile),
  languageOf(profile),
  burstsOf(profile),
  delayOf(profile),
  hoursOf(profile),
];

function lengthOf({ length }: StyleProfile): Claim {
  const { words, mostWords } = length;
  if (words === 0) return { text: "Чаще всего обходитесь без слов: хватает знака или картинки." };
  const style =
    words <= 3
      ? "Вы пишете совсем коротко"
      : words <= 7
        ? "Вы пишете коротко"
        : words <= 14
          ? "Вы пишете не длинно и не коротко"
          : words <= 30
            ? "Вы пишете подробно"
            : "Вы пишете обстоятельно, целыми абзацами";
  const most = mostWords !== undefined && mostWords > words ? mostWords : null;
  const digits = !saidInWords(words) || !saidInWords(most ?? 0);
  const usual = digits ? plural(words, WORD_FORMS) : countOfNeuter(words, WORD_FORMS);
  const rarely = most === null ? "" : `, редко больше ${digits ? formatNumber(most) : genitive(most)}`;
  return { text: `${style}: обычно в сообщении ${usual}${rarely}.` };
}

function languageOf({ latin, functionWords }: StyleProfile): Claim | null {
  if (latin.letters >= 0.8) {
    // A language is recognised by its function words; transliterated Russian has none of either language.
    const english = functionWords.slice(0, 10).filter(({ text }) => /^[a-z']+$/.test(text)).length >= 5;
    return { text: english ? "Пишете по-английски." : "Пишете латинскими буквами." };
  }
  if (latin.letters >= 0.35) return { text: "Пишете то русскими буквами, то латинскими." };
  return null;
}

function burstsOf({ turn, turns }: StyleProfile): Claim | null {
  const frequency = frequencyOf(turn.several, turns);
  if (frequency === "always" || frequency === "mostly")
    return { text: "Мысль отправляете по\u00a0частям, несколькими сообщениями подряд." };
  if (frequency === "often") return { text: "Часто отправляете несколько сообщений подряд." };
  return turn.several <= 0.15 && turns >= MIN_TURNS
    ? { text: "Почти всегда укладываетесь в\u00a0одно сообщение." }
    : null;
}

function delayOf({ replyDelay, turns }: StyleProfile): Claim | null {
  if (replyDelay === null || turns < MIN_TURNS) return null;
  const { median, p75 } = replyDelay;
  const pause = median <= 600 && p75 >= 3600 ? ", но\u00a0бывает, что пропадаете надолго" : "";
  if (median <= 75) return { text: `Отвечаете быстро, обычно за\u00a0минуту${pause}.` };
  if (median <= 600) return { text: `Отвечаете обычно за\u00a0несколько минут${pause}.` };
  if (median <= 3600) return { text: "Отвечаете обычно в\u00a0пределах часа." };
  return { text: "Отвечаете не\u00a0сразу: обычно через несколько часов." };
}

const PARTS_OF_DAY = {
  morning: { hours: [6, 12], when: "утром" },
  day: { hours: [12, 18], when: "днём" },
  evening: { hours: [18, 24], when: "вечером" },
  night: { hours: [0, 6], when: "ночью" },
} as const;

/** Mentions only unusual hours, because most people write by day and in the evening. */
function hoursOf({ hours, turns }: StyleProfile): Claim | null {
  if (hours === null || turns < MIN_TURNS) return null;
  const shareOf = (part: keyof typeof PARTS_OF_DAY) => {
    const [from, to] = PARTS_OF_DAY[part].hours;
    return hours.slice(from, to).reduce((sum, share) => sum + share, 0);
  };
  const main = (["morning", "day", "evening", "night"] as const).find((part) => shareOf(part) >= 0.6);
  const night = shareOf("night");
  const late = main !== "night" && night >= 0.1 ? ", а\u00a0бывает, что и\u00a0ночью" : "";
  if (shareOf("morning") < 0.75 && shareOf("morning") + shareOf("day") >= 0.9)
    return { text: "Пишете днём, а\u00a0вечером вас почти не\u00a0застать (по\u00a0московскому времени)." };
  if (main !== undefined)
    return { text: `Пишете в\u00a0основном ${PARTS_OF_DAY[main].when}${late} (по\u00a0московскому времени).` };
  return night >= 0.1 ? { text: "Бывает, что пишете и\u00a0ночью (по\u00a0московскому времени)." } : null;
}
