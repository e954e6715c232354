import type { StyleProfile } from "#contract/quality.ts";
import type { SetPhraseKind } from "./set-phrases.ts";
import { round } from "./style-counters.ts";

/** Weight of the whole as a prior for a part, in messages. */
const PRIOR = 10;
/** Number of forms of address from which no prior is needed. */
const ENOUGH_ADDRESSED = 5;

type Ranked = StyleProfile["openers"]["top"];
const peopleOf = (people: number | undefined) => (people === undefined ? {} : { people });
type Quartiles = StyleProfile["length"] | StyleProfile["turn"]["characters"];

/**
 * Shrinks the profile of a part of the owner's messages towards that of all; the fewer messages it has, the more. Message counts,
 * examples and values other than shares stay the part's own, if it has any.
 */
export function shrunkProfile(part: StyleProfile, whole: StyleProfile): StyleProfile {
  const weight = part.messages / (part.messages + PRIOR);
  const perMessage = whole.messages === 0 ? 0 : PRIOR / whole.messages;
  const mixed = (one: number, other: number) => round(one * weight + other * (1 - weight));
  const mixedOrNull = (one: number | null, other: number | null) =>
    one === null || other === null ? (one ?? other) : mixed(one, other);
  const counted = (one: number, other: number) => Math.round(mixed(one, other));
  const quartiles = (one: Quartiles, other: Quartiles) => ({
    p25: counted(one.p25, other.p25),
    median: counted(one.median, other.median),
    p75: counted(one.p75, other.p75),
  });
  const together = (one: Ranked, other: Ranked): Ranked => {
    const counts = new Map(other.map(({ text, count }) => [text, count * perMessage]));
    for (const { text, count } of one) counts.set(text, count + (counts.get(text) ?? 0));
    const people = new Map([...one, ...other].map((each) => [each.text, each.people]));
    return [...counts]
      .map(([text, count]) => ({ text, count: round(count), ...peopleOf(people.get(text)) }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, Math.max(one.length, other.length));
  };
  const habit = (name: "lowerCaseStart" | "finalFullStop" | "exclamation" | "question" | "ellipsis") => ({
    ...part[name],
    share: mixed(part[name].share, whole[name].share),
  });
  const forms = (name: "brackets" | "emoji" | "fillers" | "openers" | "colloquial") => ({
    share: mixed(part[name].share, whole[name].share),
    top: together(part[name].top, whole[name].top),
    examples: part[name].examples,
  });
  const edge = (name: "greetings" | "farewells") => ({
    ...part[name],
    share: mixed(part[name].share, whole[name].share),
    back: mixedOrNull(part[name].back, whole[name].back),
    top: together(part[name].top, whole[name].top),
  });
  const setPhrases = (kind: SetPhraseKind) => together(part.setPhrases?.[kind] ?? [], whole.setPhrases?.[kind] ?? []);
  const phrases = Object.entries(part.phrases).map(([kind, top]) => [
    kind,
    together(top, whole.phrases[kind as keyof StyleProfile["phrases"]]),
  ]);
  const { self: _whole, ...own } = part;
  return {
    ...own,
    turn: {
      ...part.turn,
      messages: mixed(part.turn.messages, whole.turn.messages),
      several: mixed(part.turn.several, whole.turn.several),
      characters: quartiles(part.turn.characters, whole.turn.characters),
    },
    length: { ...part.length, ...quartiles(part.length, whole.length) },
    lowerCaseStart: habit("lowerCaseStart"),
    finalFullStop: habit("finalFullStop"),
    exclamation: habit("exclamation"),
    question: habit("question"),
    ellipsis: habit("ellipsis"),
    brackets: forms("brackets"),
    emoji: forms("emoji"),
    address:
      part.address.addressed >= ENOUGH_ADDRESSED ? part.address : { ...whole.address, examples: part.address.examples },
    greetings: edge("greetings"),
    farewells: edge("farewells"),
    fillers: forms("fillers"),
    openers: forms("openers"),
    colloquial: forms("colloquial"),
    ...(part.typos === undefined || whole.typos === undefined
      ? {}
      : {
          typos: {
            share: mixed(part.typos.share, whole.typos.share),
            top: together(part.typos.top, whole.typos.top),
            examples: part.typos.examples,
            mended: { ...part.typos.mended, share: mixed(part.typos.mended.share, whole.typos.mended.share) },
          },
        }),
    phrases: Object.fromEntries(phrases) as StyleProfile["phrases"],
    setPhrases: {
      greeting: setPhrases("greeting"),
      farewell: setPhrases("farewell"),
      welcome: setPhrases("welcome"),
      acknowledgement: setPhrases("acknowledgement"),
      unsure: setPhrases("unsure"),
      deferral: setPhrases("deferral"),
    },
    typography: {
      ...part.typography,
      yo: mixedOrNull(part.typography.yo, whole.typography.yo),
      longDash: mixedOrNull(part.typography.longDash, whole.typography.longDash),
      guillemets: mixedOrNull(part.typography.guillemets, whole.typography.guillemets),
    },
    replyDelay: part.replyDelay ?? whole.replyDelay,
    hours: part.hours ?? whole.hours,
  };
}
