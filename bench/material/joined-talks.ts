// People of a public chat hardly meet again, so nobody there is a contact whom its owner has answered before. Their conversations, each
// whole and with its own partner's words, are given to a few contacts in turn.
import { SESSION_PAUSE_MS } from "#server/answers/fidelity/split-history.ts";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Talk, TalkLine } from "./talking-twin.ts";
import type { OwnersTalks } from "./talks.ts";

const DAY_MS = 86_400_000;

/**
 * Joins the private talks into those of `contacts` people, a conversation a day, in the order of time. What the partners have said is said
 * by the contact. In a group each partner keeps one line under his name, so that the twin knows whose names to hide.
 */
export function joinTalks({ name, talks }: OwnersTalks, contacts: number): OwnersTalks {
  const privates = talks.filter(({ kind }) => kind === "private");
  const conversations = privates.flatMap(({ lines }) => conversationsOf(lines)).filter(isAnswered);
  conversations.sort((a, b) => a[0]!.at - b[0]!.at);
  const begun = conversations[0]![0]!.at;
  const rounds = seededRandom(`contacts of ${name}`);
  let order: number[] = [];
  const joined = new Map<number, TalkLine[]>();
  for (const [day, lines] of conversations.entries()) {
    if (order.length === 0) order = shuffled([...Array(contacts).keys()], rounds);
    const contact = order.pop()!;
    const moved = begun + day * DAY_MS - lines[0]!.at;
    const said = lines.map((line) => ({
      ...line,
      at: line.at + moved,
      author: line.author && `contact ${contact + 1}`,
    }));
    joined.set(contact, [...(joined.get(contact) ?? []), ...said]);
  }
  const named = privates.flatMap(({ lines }) => lines.find(({ author }) => author !== null) ?? []);
  return {
    name,
    talks: [
      ...[...joined].map(([contact, lines]): Talk => ({ name: `contact ${contact + 1}`, kind: "private", lines })),
      ...talks.filter(({ kind }) => kind === "group"),
      { name: "names", kind: "group", lines: named.toSorted((a, b) => a.at - b.at) },
    ],
  };
}

const isAnswered = (lines: readonly TalkLine[]) => lines.some(({ author }) => author === null);

function conversationsOf(lines: readonly TalkLine[]): TalkLine[][] {
  const found: TalkLine[][] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line.at - lines[at - 1]!.at > SESSION_PAUSE_MS) found.push([]);
    found.at(-1)!.push(line);
  }
  return found;
}
