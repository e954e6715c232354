/** Selects figures that describe how an owner writes. They contain only his own words and numbers, no contact's name or words. */
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

interface Trait {
  title: string;
  value: string;
  text: string;
  /** The explanation as other people read it on a shared picture; absent when it is the same. */
  toOthers?: string;
  /** Set when the owner lacks the habit, so that the trait is left out of a shared picture. */
  none?: true;
}

export interface Traits {
  list: readonly Trait[];
  /** Shares of the messages by hour of the day; null when messages have no times. */
  hours: readonly number[] | null;
}

/** With fewer messages a habit may be chance. */
const MIN_MESSAGES = 20;
const MIN_USES = 3;
const MIN_SHARE = 0.02;
const FAVOURITES = 4;

/** Returns null when there are too few messages. */
export function traitsOf({ profile, groups }: Pick<TwinQuality, "profile" | "groups">): Traits | null {
  if (profile === null || profile.messages < MIN_MESSAGES) return null;
  const list = [
    lengthOf(profile),
    smileOf(profile),
    favouritesOf(profile),
    addressOf(profile, groups),
    busiestOf(profile),
  ];
  return { list: list.filter((trait) => trait !== null), hours: profile.hours };
}

function lengthOf({ length, turn }: StyleProfile): Trait {
  const bursts = turn.several >= 0.3 ? ", часто несколькими сообщениями подряд" : "";
  return {
    title: "Длина",
    value: plural(length.words, ["слово", "слова", "слов"]),
    text: `в\u00a0обычном сообщении${bursts}`,
  };
}

function smileOf({ brackets, emoji }: StyleProfile): Trait {
  const [smiles] = [brackets, emoji]
    .filter(({ share, top }) => share >= MIN_SHARE && (top[0]?.count ?? 0) >= MIN_USES)
    .sort((a, b) => b.share - a.share);
  if (smiles === undefined) return { title: "Улыбки", value: "без них", text: "скобок и\u00a0эмодзи почти нет" };
  const { text } = smiles.top[0]!;
  return { title: "Улыбки", value: smileNamed(text), text: `улыбка в\u00a0${formatShare(smiles.share)} сообщений` };
}

/** Returns a smiley's name, because a mark of one or two characters looks like a typing error. */
function smileNamed(text: string): string {
  if (/^[()]$/.test(text)) return `скобка ${text}`;
  if (/^[()]+$/.test(text)) return `скобки ${text}`;
  return /^[:;=xX]/.test(text) ? `смайлик ${text}` : text;
}

function favouritesOf({ favourites, fillers, colloquial }: StyleProfile): Trait {
  const habits = [...fillers.top, ...colloquial.top].filter(({ count }) => count >= MIN_USES);
  // Older profiles have no `favourites`, which are compared with the contacts' words, so plain habits stand in.
  const shown = distinct(favourites ?? habits).slice(0, FAVOURITES);
  const title = "Любимые слова";
  if (shown.length === 0) {
    const text = "вы\u00a0пишете теми\u00a0же словами, что и\u00a0ваши собеседники";
    return { title, value: "своих нет", text, none: true };
  }
  const [first, ...others] = shown.map((word) => `«${word}»`);
  if (others.length > 0) return { title, value: first!, text: `а\u00a0ещё ${others.join(", ")}` };
  if (!favourites) return { title, value: first!, text: "чаще других" };
  // A single distinctive word says little, so the owner's common words are shown beside it.
  const common = distinct(habits)
    .filter((word) => word !== shown[0])
    .slice(0, FAVOURITES - 1)
    .map((word) => `«${word}»`)
    .join(", ");
  if (common === "") {
    const text = "вы\u00a0пишете чаще, чем ваши собеседники";
    return { title, value: first!, text, toOthers: "чаще, чем\u00a0у\u00a0собеседников" };
  }
  return {
    title,
    value: first!,
    text: `вы\u00a0пишете чаще, чем ваши собеседники; в\u00a0ходу и\u00a0${common}`,
    toOthers: `в\u00a0ходу и\u00a0${common}`,
  };
}

const distinct = (words: readonly { text: string }[]) => [...new Set(words.map(({ text }) => text))];

function addressOf({ address }: StyleProfile, groups: TwinQuality["groups"]): Trait | null {
  const people = (form: "ты" | "вы") =>
    groups.reduce((sum, group) => sum + (group.address === form ? group.contacts : 0), 0);
  const [familiar, polite] = [people("ты"), people("вы")];
  if (familiar > 0 && polite > 0) {
    const forms = ["собеседником", "собеседниками", "собеседниками"] as const;
    return {
      title: "«Ты» и\u00a0«вы»",
      value: familiar >= polite ? "чаще «ты»" : "чаще «вы»",
      text: `с\u00a0${plural(familiar, forms)} на\u00a0«ты», с\u00a0${plural(polite, forms)} на\u00a0«вы»`,
    };
  }
  const { prefers, familiar: share } = address;
  if (prefers === null || share === null) return null;
  if (prefers === "mixed") {
    return {
      title: "«Ты» и\u00a0«вы»",
      value: "и\u00a0так, и\u00a0так",
      text: `«ты» в\u00a0${formatShare(share)} обращений`,
    };
  }
  const most = formatShare(prefers === "ты" ? share : 1 - share);
  return { title: "«Ты» и\u00a0«вы»", value: `на\u00a0«${prefers}»`, text: `в\u00a0${most} обращений` };
}

function busiestOf({ hours }: StyleProfile): Trait | null {
  if (hours === null) return null;
  const hour = hours.indexOf(Math.max(...hours));
  return {
    title: "Часы",
    value: `${hour}:00–${(hour + 1) % 24}:00`,
    text: `пишете больше всего, это\u00a0${formatShare(hours[hour]!)} сообщений`,
    toOthers: `больше всего сообщений: ${formatShare(hours[hour]!)}`,
  };
}
