/** Describes how an owner's style with a group of contacts differs from the overall style. */
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

type Group = TwinQuality["groups"][number];

interface GroupFacts {
  /** Title such as «На «вы»: длиннее обычного, с точкой в конце». */
  title: string;
  /** Names such as «Мама, Игорь и еще 3 человека». */
  people: string;
  /** Sentences, the greatest difference first. */
  differences: string[];
  examples: readonly string[];
}

interface Difference {
  /** Comparable size of a difference: shares that differ by 1 weigh as much as lengths that differ by the factor e. */
  weight: number;
  trait: string;
  sentence: string;
}

const MIN_SHARE_DIFFERENCE = 0.08;
/** Minimum ratio between two lengths that is worth mentioning. */
const MIN_LENGTH_RATIO = 1.3;
const MAX_TRAITS = 2;
const MAX_DIFFERENCES = 4;

/** The two greatest differences, such as «короче обычного», «чаще с улыбкой»; empty when there are none. */
export const groupTraits = ({ profile }: Pick<Group, "profile">, whole: StyleProfile): string[] =>
  differencesOf(profile, whole)
    .slice(0, MAX_TRAITS)
    .map(({ trait }) => trait);

const differencesOf = (profile: StyleProfile, whole: StyleProfile): Difference[] =>
  [lengthOf(profile, whole), ...shares(profile, whole)]
    .filter((one) => one !== null)
    .toSorted((a, b) => b.weight - a.weight);

export function groupFacts({ address, profile, names, contacts }: Group, whole: StyleProfile): GroupFacts {
  const differences = differencesOf(profile, whole);
  const traits = groupTraits({ profile }, whole);
  const style = traits.length === 0 ? "как обычно" : traits.join(", ");
  return {
    title: address === null ? `${style[0]!.toUpperCase()}${style.slice(1)}` : `На «${address}»: ${style}`,
    people: peopleOf(names, contacts),
    differences: [...differences.slice(0, MAX_DIFFERENCES).map(({ sentence }) => sentence), ...edges(profile)],
    examples: profile.length.examples,
  };
}

function peopleOf(names: readonly string[], contacts: number): string {
  const others = contacts - names.length;
  const listed = names.join(", ");
  return others > 0 ? `${listed} и еще ${plural(others, ["человек", "человека", "человек"])}` : listed;
}

function lengthOf({ length }: StyleProfile, { length: usual }: StyleProfile): Difference | null {
  const factor = Math.max(1, length.median) / Math.max(1, usual.median);
  const weight = Math.abs(Math.log(factor));
  if (weight < Math.log(MIN_LENGTH_RATIO)) return null;
  const characters = plural(length.median, ["знак", "знака", "знаков"]);
  const style = factor > 1 ? "длиннее" : "короче";
  return {
    weight,
    trait: `${style} обычного`,
    sentence: `Сообщения ${style}: обычно ${characters}, а в целом ${usual.median}.`,
  };
}

function shares(profile: StyleProfile, whole: StyleProfile): (Difference | null)[] {
  const smiles = ({ brackets, emoji }: StyleProfile) => Math.max(brackets.share, emoji.share);
  return [
    apart(profile.lowerCaseStart.share, whole.lowerCaseStart.share, {
      more: "с маленькой буквы",
      less: "с большой буквы",
      habit: "С маленькой буквы начинаете",
    }),
    apart(profile.finalFullStop.share, whole.finalFullStop.share, {
      more: "с точкой в конце",
      less: "без точки в конце",
      habit: "Точку в конце ставите",
    }),
    apart(smiles(profile), smiles(whole), {
      more: "чаще с улыбкой",
      less: "почти без улыбок",
      habit: "Скобки и эмодзи ставите",
    }),
    apart(profile.exclamation.share, whole.exclamation.share, {
      more: "с восклицаниями",
      less: "без восклицаний",
      habit: "Восклицаете",
    }),
    apart(profile.turn.several, whole.turn.several, {
      more: "несколькими сообщениями",
      less: "одним сообщением",
      habit: "Мысль делите на несколько сообщений",
    }),
  ];
}

function apart(
  share: number,
  usual: number,
  { more, less, habit }: { more: string; less: string; habit: string },
): Difference | null {
  const weight = Math.abs(share - usual);
  if (weight < MIN_SHARE_DIFFERENCE) return null;
  return {
    weight,
    trait: share > usual ? more : less,
    sentence: `${habit} в ${formatShare(share)} случаев, а в целом в ${formatShare(usual)}.`,
  };
}

function edges({ greetings }: StyleProfile): string[] {
  const said = greetings.top.filter(({ count }) => count >= 1).slice(0, 3);
  return said.length === 0 ? [] : [`Здороваетесь: ${said.map(({ text }) => `«${text}»`).join(", ")}.`];
}
