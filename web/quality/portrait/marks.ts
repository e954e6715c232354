/** Describes the owner's capitals, full stops, smileys and typographic marks. */
import type { StyleProfile } from "#contract/quality.ts";
import { type Claim, type ClaimRule, frequentForms, type QuotationMatcher } from "./claim.ts";
import { type Frequency, frequencyOf } from "./frequency.ts";
import { inMessages, quoteList } from "./numerals.ts";

export const marks: ClaimRule = (profile) => [
  edgesOf(profile),
  ...smilesOf(profile),
  exclamationsOf(profile),
  ellipsesOf(profile),
  typographyOf(profile),
];

const lowerStart: QuotationMatcher = { label: "с\u00a0маленькой буквы", shows: (text) => /^\p{Ll}/u.test(text) };
const upperStart: QuotationMatcher = { label: "с\u00a0большой буквы", shows: (text) => /^\p{Lu}/u.test(text) };
const noStop: QuotationMatcher = { label: "без точки", shows: (text) => /[\p{L}\p{N}]$/u.test(text) };
const withStop: QuotationMatcher = { label: "с\u00a0точкой", shows: (text) => /[^.]\.$/.test(text) };

const FIRST_LETTER_PHRASES: Record<Exclude<Frequency, null>, string> = {
  always: "начинаете с\u00a0маленькой буквы",
  mostly: "обычно начинаете с\u00a0маленькой буквы",
  often: "часто начинаете с\u00a0маленькой буквы",
  sometimes: "иногда начинаете с\u00a0маленькой буквы",
  rare: "начинаете с\u00a0большой буквы",
};
const FULL_STOP_PHRASES: Record<Exclude<Frequency, null>, string> = {
  always: "заканчиваете точкой",
  mostly: "чаще заканчиваете точкой, чем без неё",
  often: "точку в\u00a0конце ставите через раз",
  sometimes: "точку в\u00a0конце ставите изредка",
  rare: "точку в\u00a0конце не\u00a0ставите",
};

const isSmall = (frequency: Frequency) => frequency === "always" || frequency === "mostly";
const isLax = (frequency: Frequency) => frequency === "rare" || frequency === "sometimes";

function edgesOf({ lowerCaseStart, finalFullStop, messages }: StyleProfile): Claim | null {
  const start = frequencyOf(lowerCaseStart.share, lowerCaseStart.of ?? messages);
  const stop = frequencyOf(finalFullStop.share, finalFullStop.of);
  const said = [start && FIRST_LETTER_PHRASES[start], stop && FULL_STOP_PHRASES[stop]].filter((text) => text !== null);
  if (said.length === 0) return null;
  // Two habits of one kind are joined with «и»; a strict and a lax one are contrasted.
  const alike = isSmall(start) === isLax(stop);
  const text = said.join(said.length === 2 && alike ? " и\u00a0" : ", а\u00a0");
  const seen = [
    start === "rare" ? upperStart : isSmall(start) ? lowerStart : null,
    stop === "rare" ? noStop : isSmall(stop) ? withStop : null,
  ].filter((one) => one !== null);
  const belies = (message: string) =>
    (start === "always" && /^\p{Lu}/u.test(message)) || (stop === "rare" && withStop.shows(message));
  return { text: `${capitalised(text)}.`, seen, belies };
}

function smilesOf({ brackets, emoji, messages }: StyleProfile): (Claim | null)[] {
  const faces = frequentForms(emoji.top, { least: 3, limit: 3 });
  const forms = frequentForms(brackets.top, { least: 3, limit: 2 });
  const [often, drawn] = [frequencyOf(brackets.share, messages), frequencyOf(emoji.share, messages)];
  if (often === "rare" && drawn === "rare" && brackets.share + emoji.share < 0.02)
    return [
      {
        text: "Скобок-улыбок и\u00a0эмодзи у\u00a0вас почти не\u00a0встретишь.",
        belies: (message) => /[:;=)(]\s*$|[:;=]['-]?[)(DdPp]|\p{Extended_Pictographic}/u.test(message),
      },
    ];
  const smiles = forms.length > 0 && forms.every((form) => /[)dDpP]/.test(form));
  return [
    often === null || often === "rare" || forms.length === 0
      ? null
      : {
          text: smiles
            ? `Улыбаетесь скобками: ${quoteList(forms, "или")}\u00a0— ${inMessages(brackets.share)}.`
            : `Любите скобки ${quoteList(forms)}: они ${inMessages(brackets.share)}.`,
          seen: forms.map((form) => ({ label: `«${form}»`, shows: (text: string) => text.includes(form) })),
        },
    drawn === null || drawn === "rare" || faces.length === 0
      ? null
      : {
          text: `Чувства показываете картинкой: ${faces.join("\u00a0")}\u00a0— ${inMessages(emoji.share)}.`,
          seen: faces.map((face) => ({ label: face, shows: (text: string) => text.includes(face) })),
        },
  ];
}

function exclamationsOf({ exclamation, messages }: StyleProfile): Claim | null {
  const seen = [{ label: "восклицание", shows: (text: string) => text.includes("!") }];
  switch (frequencyOf(exclamation.share, messages)) {
    case "always":
      return { text: "Почти каждое сообщение у\u00a0вас с\u00a0восклицательным знаком!", seen };
    case "mostly":
    case "often":
      return { text: "Часто восклицаете!", seen };
    case "rare":
      return exclamation.share < 0.02
        ? { text: "Восклицательные знаки не\u00a0любите.", belies: (message) => message.includes("!") }
        : null;
    default:
      return null;
  }
}

function ellipsesOf({ ellipsis, messages }: StyleProfile): Claim | null {
  const frequency = frequencyOf(ellipsis.share, messages);
  if (frequency === null || frequency === "rare") return null;
  const seen = [{ label: "многоточие", shows: (text: string) => /…|\.\./.test(text) }];
  return { text: `Любите многоточия… Они ${inMessages(ellipsis.share)}.`, seen };
}

/** Minimum number of messages with either spelling before a rare habit of typography is stated. */
const MIN_OCCURRENCES = 8;

/** Mentions only spellings that a keyboard does not produce automatically. */
function typographyOf({ typography }: StyleProfile): Claim | null {
  const { of } = typography;
  if (of === undefined) return null;
  const typed = (name: "yo" | "longDash" | "guillemets") =>
    of[name] >= MIN_OCCURRENCES && (typography[name] ?? 0) >= 0.9;
  const marks = [typed("longDash") ? "длинное тире" : null, typed("guillemets") ? "кавычки-«ёлочки»" : null].filter(
    (mark) => mark !== null,
  );
  const said = [
    typed("yo") ? "букву «ё» не\u00a0забываете" : null,
    marks.length > 0 ? `ставите ${marks.join(" и\u00a0")}` : null,
  ].filter((text) => text !== null);
  if (said.length === 0) return null;
  return {
    text: `${capitalised(said.join(", "))}.`,
    seen: typed("yo") ? [{ label: "«ё»", shows: (text) => /ё/i.test(text) }] : [],
  };
}

export const capitalised = (text: string) => text[0]!.toUpperCase() + text.slice(1);
