/** Chooses phrases that together show how their writer writes: of his own lengths, of all that he does with a message, of all times. */
import { everydayAct } from "#server/knowledge/language/everyday.ts";
import { findPhrases, type PhraseKind, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { actPhrase } from "#server/knowledge/style/self/social-acts.ts";

/** Among phrases of about the wanted length, and at least this number of the nearest, the one whose act is lacking is taken. */
const NEAREST = 8;
const isAbout = (length: number, wanted: number) => Math.abs(length - wanted) <= Math.max(3, wanted / 4);
/** Parts of the time that count as different. */
const TIMES = 4;
/** What a message does by how it begins. */
const OPENING_ACTS: ReadonlySet<PhraseKind> = new Set([
  "greeting",
  "farewell",
  "thanks",
  "welcome",
  "acknowledgement",
  "agreement",
]);

interface Chosen<Item> {
  item: Item;
  length: number;
  act: string;
  time: number;
}

/** Returns what a message of the owner does: it greets, asks, thanks, apologises, refuses, agrees, jokes or tells. */
export function actOf(text: string): string {
  const words = wordsOf(text);
  for (const act of ["apology", "refusal"] as const) if (actPhrase(act, text, words) !== null) return act;
  const opening = findPhrases(words).find(({ at, kind }) => at === 0 && OPENING_ACTS.has(kind));
  return opening?.kind ?? everydayAct(text);
}

/**
 * Chooses up to `count` items: their lengths are spread as the owner's own, and each act gets at least one place before any gets more than
 * its share (Adams's method). Items of different acts come first.
 * @param items newest first
 * @param lengths lengths, in characters, of the messages whose spread is imitated
 */
export function choosePhrases<Item extends { text: string }>(
  items: readonly Item[],
  lengths: readonly number[],
  count: number,
): Item[] {
  const left = items
    .map((item, at) => ({
      ...{ item, length: item.text.length, act: actOf(item.text) },
      time: Math.floor((TIMES * at) / items.length),
    }))
    .toSorted((a, b) => a.length - b.length);
  const shares = countBy(left, ({ act }) => act);
  const chosen: Chosen<Item>[] = [];
  const sorted = lengths.toSorted((a, b) => a - b);
  const wanted = Math.min(count, left.length);
  for (let place = 0; place < wanted; place++) {
    const length = sorted[Math.floor(((place + 0.5) * sorted.length) / wanted)] ?? 0;
    const near = left
      .toSorted((a, b) => Math.abs(a.length - length) - Math.abs(b.length - length))
      .filter((one, at) => at < NEAREST || isAbout(one.length, length));
    const [acts, times] = [countBy(chosen, ({ act }) => act), countBy(chosen, ({ time }) => time)];
    const weight = ({ act }: Chosen<Item>) => (acts.get(act) ?? 0) / shares.get(act)!;
    const [best] = near.toSorted(
      (a, b) =>
        weight(a) - weight(b) ||
        shares.get(a.act)! - shares.get(b.act)! ||
        (times.get(a.time) ?? 0) - (times.get(b.time) ?? 0),
    );
    chosen.push(best!);
    left.splice(left.indexOf(best!), 1);
  }
  return inTurn([...Map.groupBy(chosen, ({ act }) => act).values()]).map(({ item }) => item);
}

function countBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** Takes one of each group, then a second one of each, and so on. */
function inTurn<Item>(groups: readonly Item[][]): Item[] {
  const most = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: most }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
