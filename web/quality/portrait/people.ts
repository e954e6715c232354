/** Describes «ты» and «вы», and how the style differs between groups of contacts. */
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { groupTraits } from "../group-facts.ts";
import type { Claim } from "./claim.ts";
import { frequencyOf } from "./frequency.ts";
import { capitalised } from "./marks.ts";
import { dativeOf, joinList } from "./numerals.ts";

type Groups = TwinQuality["groups"];

const MAX_NAMES = 3;
/** Minimum number of messages that address a person as «ты» or «вы». */
const MIN_ADDRESSED = 10;

export function people(profile: StyleProfile, groups: Groups): (Claim | null)[] {
  const placed = groups.filter(({ contacts }) => contacts > 0);
  if (placed.length < 2) return [addressOf(profile)];
  const addresses = new Set(placed.map(({ address }) => address));
  const lead = addresses.size > 1 ? null : addressOf(profile);
  return [
    lead,
    { text: "Разным людям вы пишете по-разному." },
    ...placed.map((group): Claim => ({ text: `${styleOf(group, profile)}\u00a0— ${readersOf(group)}.` })),
  ];
}

function addressOf({ address }: StyleProfile): Claim | null {
  const { addressed, familiar } = address;
  if (familiar === null || addressed < MIN_ADDRESSED) return null;
  const frequency = frequencyOf(familiar, addressed);
  if (frequency === "always") return { text: "Почти со\u00a0всеми вы на\u00a0«ты»." };
  if (frequencyOf(1 - familiar, addressed) === "always") return { text: "Почти со\u00a0всеми вы на\u00a0«вы»." };
  if (frequency === "mostly") return { text: "Чаще вы на\u00a0«ты», но\u00a0кое\u00a0с\u00a0кем и\u00a0на\u00a0«вы»." };
  if (frequencyOf(1 - familiar, addressed) === "mostly")
    return { text: "Чаще вы на\u00a0«вы», но\u00a0кое\u00a0с\u00a0кем и\u00a0на\u00a0«ты»." };
  return familiar > 0.2 && familiar < 0.8 && addressed >= 2 * MIN_ADDRESSED
    ? { text: "С\u00a0одними вы на\u00a0«ты», с\u00a0другими на\u00a0«вы»." }
    : null;
}

function styleOf(group: Groups[number], whole: StyleProfile): string {
  const traits = groupTraits(group, whole);
  const style = traits.length === 0 && group.address === null ? ["как обычно"] : traits;
  return capitalised(
    [group.address === null ? null : `на\u00a0«${group.address}»`, ...style].filter(Boolean).join(", "),
  );
}

/** Describes a group's members: «14 собеседникам, среди них Олег и Мама». */
function readersOf({ names, contacts }: Groups[number]): string {
  const readers = dativeOf(contacts, "собеседнику", "собеседникам");
  if (names.length === 0) return readers;
  const shown = names.slice(0, MAX_NAMES);
  return contacts > shown.length
    ? `${readers}, среди них ${joinList(shown)}`
    : `${readers}: это\u00a0${joinList(shown)}`;
}
