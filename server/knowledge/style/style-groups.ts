/** Groups contacts to whom the owner writes alike, by «ты» or «вы» and by the distance between habits. */
import type { OwnersStyle, StyleGroup, StyleProfile } from "#contract/quality.ts";
import { FavouriteWords } from "./favourites/favourite-words.ts";
import { shrunkProfile } from "./shrunk-profile.ts";
import { StyleAccumulator, type StyleMessage } from "./style-profile.ts";

/** Maximum number of contacts tracked separately; later ones count only towards the overall profile. */
const PEOPLE = 1000;
/** Minimum number of the owner's messages to a contact; fewer give random habits. */
const MIN_PER_PERSON = 30;
/** Maximum number of contacts that are compared: those with the most messages. */
const COMPARED = 150;
const MIN_PER_GROUP = 100;
const FAVOURITES = 8;
const GROUPS = 4;
/** Weight, in messages, of the overall profile as a prior for one contact. */
const PRIOR = 20;
/** Root mean square of the habits' differences from which two styles differ (Cohen 1988: 0.5 is a medium effect). */
const APART = 0.5;
/** A length twice as long counts as an effect size of 1. */
const LENGTH_UNIT = Math.log(2);
/** Minimum number of forms of address needed to choose between «ты» and «вы». */
const MIN_ADDRESSED = 2;
const SURE = 0.8;

export type StyleMessageTo = StyleMessage & {
  /** Contact of a private chat; null in a group. */
  contactId: number | null;
  /** Contacts with the same number are one person; absent: each contact is a separate person. */
  person?: number | null;
};

export interface MeasuredStyle {
  style: OwnersStyle;
  groupOf: Map<number, string>;
}

/** Measures the owner's style overall and with each contact, message by message. */
export class OwnersStyleAccumulator {
  readonly #people = new Map<number, StyleAccumulator>();
  readonly #others = new StyleAccumulator();
  readonly #personOf = new Map<number, number>();
  readonly #favourites = new FavouriteWords();

  /** Works like `StyleAccumulator.add`; every private chat has one contact. */
  add(message: StyleMessageTo): void {
    const { contactId, person } = message;
    if (contactId !== null && person != null) this.#personOf.set(contactId, person);
    this.#of(contactId).add(message);
    // A word used in several chats with the same person is no general habit.
    this.#favourites.add({ ...message, chatId: contactId === null ? message.chatId : `person ${person ?? contactId}` });
  }

  #of(contactId: number | null): StyleAccumulator {
    if (contactId === null) return this.#others;
    let person = this.#people.get(contactId);
    if (person === undefined) {
      if (this.#people.size >= PEOPLE) return this.#others;
      person = new StyleAccumulator();
      this.#people.set(contactId, person);
    }
    return person;
  }

  /** May be called only once, because it consumes the accumulated data. */
  result(): MeasuredStyle {
    const whole = this.#countedByPerson(this.#people);
    // Group chats and contacts beyond the limit do not count as people, because their members may also have private chats.
    whole.join(this.#others);
    const profile = whole.result();
    const people = [...this.#people]
      .filter(([, { messages }]) => messages > 0)
      .map(([contactId, accumulator]) => styleWith(contactId, accumulator, profile));
    const groups = groupsOf(people);
    const groupOf = new Map(groups.flatMap(({ key, members }) => members.map(({ contactId }) => [contactId, key])));
    const style = {
      ...profile,
      favourites: this.#favourites.top(FAVOURITES),
      groups: groups.map(({ key, ...group }): StyleGroup => {
        const together = this.#countedByPerson(
          group.members.map(({ contactId, accumulator }) => [contactId, accumulator]),
        );
        return { key, address: addressOf(group), profile: shrunkProfile(together.result(), profile) };
      }),
    };
    return { style, groupOf };
  }

  #countedByPerson(measured: Iterable<readonly [contactId: number, StyleAccumulator]>): StyleAccumulator {
    const all = new StyleAccumulator();
    for (const contacts of Map.groupBy(measured, ([id]) => this.#personOf.get(id) ?? id).values()) {
      const person = contacts.length === 1 ? contacts[0]![1] : new StyleAccumulator();
      if (contacts.length > 1) for (const [, accumulator] of contacts) person.join(accumulator);
      person.ofOnePerson();
      all.join(person);
    }
    return all;
  }
}

interface TargetStyle {
  messages: number;
  /** Number of messages that address the reader. */
  addressed: number;
  /** Number of those that say «ты». */
  familiar: number;
  /** Habits scaled so that a difference of 1 is a large effect. */
  habits: number[];
}

interface Person extends TargetStyle {
  contactId: number;
  accumulator: StyleAccumulator;
}

interface Cluster extends TargetStyle {
  members: Person[];
}

const SHARES = ["lowerCaseStart", "finalFullStop", "exclamation", "brackets", "emoji"] as const;

function styleWith(contactId: number, accumulator: StyleAccumulator, whole: StyleProfile): Person {
  const own = accumulator.result();
  const { messages } = own;
  const leaned = (value: number, general: number) => (value * messages + general * PRIOR) / (messages + PRIOR);
  const angle = (share: number, general: number) => 2 * Math.asin(Math.sqrt(leaned(share, general)));
  const length = (profile: StyleProfile) => Math.log(1 + profile.length.median) / LENGTH_UNIT;
  const { addressed, familiar } = own.address;
  return {
    contactId,
    accumulator,
    messages,
    addressed,
    familiar: (familiar ?? 0) * addressed,
    habits: [
      leaned(length(own), length(whole)),
      angle(own.turn.several, whole.turn.several),
      ...SHARES.map((name) => angle(own[name].share, whole[name].share)),
    ],
  };
}

/** Returns null when the owner mixes both forms or uses hardly any. */
function addressOf({ addressed, familiar }: TargetStyle): "ты" | "вы" | null {
  if (addressed < MIN_ADDRESSED) return null;
  const share = familiar / addressed;
  return share >= SURE ? "ты" : share <= 1 - SURE ? "вы" : null;
}

/** Returns the root mean square distance of two styles; infinite between «ты» and «вы». */
function distance(one: TargetStyle, other: TargetStyle): number {
  const [first, second] = [addressOf(one), addressOf(other)];
  if (first !== null && second !== null && first !== second) return Number.POSITIVE_INFINITY;
  const squares = one.habits.reduce((sum, value, at) => sum + (value - other.habits[at]!) ** 2, 0);
  return Math.sqrt(squares / one.habits.length);
}

function joined(one: Cluster, other: Cluster): Cluster {
  const messages = one.messages + other.messages;
  return {
    messages,
    addressed: one.addressed + other.addressed,
    familiar: one.familiar + other.familiar,
    habits: one.habits.map((value, at) => (value * one.messages + other.habits[at]! * other.messages) / messages),
    members: [...one.members, ...other.members],
  };
}

/** Returns the groups, largest first; empty when the owner writes to all contacts alike. */
function groupsOf(people: readonly Person[]): (Cluster & { key: string })[] {
  const sorted = people.toSorted((a, b) => b.messages - a.messages || a.contactId - b.contactId);
  const compared = sorted.filter(({ messages }) => messages >= MIN_PER_PERSON).slice(0, COMPARED);
  const found = clustered(compared)
    .toSorted((a, b) => b.messages - a.messages)
    .filter(({ messages }) => messages >= MIN_PER_GROUP)
    .slice(0, GROUPS);
  if (found.length < 2) return [];
  const placed = new Set(found.flatMap(({ members }) => members));
  for (const person of sorted) {
    if (placed.has(person)) continue;
    const nearest = found.reduce((best, group) => (distance(group, person) < distance(best, person) ? group : best));
    // Too few messages show no habits, so such a person joins the largest group with the same form of address.
    const address = addressOf(person);
    const alike = found.find((group) => address !== null && addressOf(group) === address);
    const group = person.messages >= MIN_PER_PERSON ? nearest : alike;
    if (group !== undefined && distance(group, person) < Number.POSITIVE_INFINITY) group.members.push(person);
  }
  return found.map((group, at) => ({ ...group, key: `${addressOf(group) ?? "-"}${at + 1}` }));
}

/** Agglomerative clustering: merges the two nearest groups until all groups differ. */
function clustered(people: readonly Person[]): Cluster[] {
  const clusters: Cluster[] = people.map((person) => ({ ...person, members: [person] }));
  for (;;) {
    let nearest: { one: Cluster; other: Cluster; apart: number } | null = null;
    for (const [at, one] of clusters.entries()) {
      for (const other of clusters.slice(at + 1)) {
        const apart = distance(one, other);
        if (apart < (nearest?.apart ?? APART)) nearest = { one, other, apart };
      }
    }
    if (nearest === null) return clusters;
    const { one, other } = nearest;
    clusters.splice(clusters.indexOf(other), 1);
    clusters[clusters.indexOf(one)] = joined(one, other);
  }
}
