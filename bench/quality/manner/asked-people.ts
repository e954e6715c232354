// Whose twins are measured: people of the test part whom nobody has looked at, drawn by seed.
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { joinTalks } from "../../material/joined-talks.ts";
import type { Corpus } from "../../material/speakers.ts";
import { ircTalks, type OwnersTalks, playTalks, readIrcLines } from "../../material/talks.ts";
import type { MannerSet } from "./manner.ts";

/** Those who say most: prompts were improved on the first four of IRC and the first two playwrights, the others were recorded. */
const LOOKED_AT = { IRC: 8, playwrights: 4 };
const DRAWN = { IRC: 4, playwrights: 2 };
/** So many contacts have about seven conversations each with somebody of IRC: two or three are asked, two or three are in the memory. */
const CONTACTS_OF_IRC = 10;

/** A history of fewer exchanges has too few to ask about once the judge has its own. Four of IRC are left, who are all drawn. */
const LEAST_EXCHANGES = 140;

/** About 450 prompts in all, which three writers can read. */
const ASKED_OF_IRC = { automatic: 24, opened: 34, contacts: 30 };
/** Playwrights have forty automatic samples, so their opened phrases change little: they are asked once. */
const ASKED_OF_PLAYS = { automatic: 0, opened: 28, contacts: 28 };

/** @param part `dev`: people on whom the code may be tuned, drawn in the same way */
export function askedPeople(folder: string, [irc, plays]: [Corpus, Corpus], part: "test" | "dev"): MannerSet[] {
  const lines = readIrcLines(folder);
  const ofIrc = unseen(irc, part, "IRC")
    .map((name) => joinTalks(ircTalks(lines, name), CONTACTS_OF_IRC))
    .filter((one) => countExchanges(one) >= LEAST_EXCHANGES);
  return [
    {
      ...{ description: "Сидит в чате #ubuntu, помогает разобраться с Linux", asked: ASKED_OF_IRC },
      owners: drawn(ofIrc, "IRC"),
    },
    {
      ...{ description: "Пишет пьесы, отвечает репликами", asked: ASKED_OF_PLAYS },
      owners: playTalks(folder, drawn(unseen(plays, part, "playwrights"), "playwrights"), { recurring: true }),
    },
  ];
}

function unseen({ owners }: Corpus, part: "test" | "dev", set: keyof typeof DRAWN): string[] {
  const sorted = owners[part].toSorted((a, b) => b.texts.length - a.texts.length);
  return sorted.slice(part === "test" ? LOOKED_AT[set] : 0).map(({ name }) => name);
}

const drawn = <One>(people: readonly One[], set: keyof typeof DRAWN): One[] =>
  shuffled(people, seededRandom(`manner of ${set}, 1 December`)).slice(0, DRAWN[set]);

const countExchanges = ({ talks }: OwnersTalks): number =>
  talks
    .filter(({ kind }) => kind === "private")
    .flatMap(({ lines }) =>
      lines.filter(({ author }, at) => author === null && at > 0 && lines[at - 1]!.author !== null),
    ).length;
