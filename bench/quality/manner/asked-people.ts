// Whose twins are measured: people of the test part whom nobody has looked at, drawn by seed.
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { joinTalks } from "../../material/joined-talks.ts";
import type { Corpus } from "../../material/speakers.ts";
import { ircTalks, type OwnersTalks, playDialogues, readIrcLines } from "../../material/talks.ts";
import type { MannerSet } from "./manner.ts";

/** Prompts were improved on these people, or their twins' answers were read before. */
const LOOKED_AT = new Set([
  ...["seveas", "psil0cybin", "jrib", "daftykins", "thoreauputic", "maco", "gnomefreak", "k1l"],
  ...["oerheks", "wilee-nilee", "zykotick9", "flannel", "soundray", "eric", "bazhang"],
  ...["cfhowlett", "tonren", "histo"],
  ...["lotuspsychje", "nickrud", "monkeydust"],
  ...["Булгаков", "Чехов", "Островский", "Тургенев", "Плавильщиков", "Гоголь", "Княжнин", "Сумароков"],
  ...["Лермонтов", "Ангальт-Цербстская", "Шаховской"],
]);
const DRAWN = { IRC: 3, playwrights: 3 };
/** People of IRC hardly write twice: their conversations are given to so many contacts in turn. */
const CONTACTS_OF_IRC = 10;
const CONTACTS_OF_PLAYS = 6;
/** About six hundred exchanges. */
const DIALOGUES_OF_PLAYS = 130;

/** A fifth is asked. With fewer than forty answers the figure jumps between 0 and 1 (docs/quality.md). */
const LEAST_EXCHANGES = { IRC: 400, playwrights: 170 };

/** About seven hundred prompts in all, which four writers can read. */
const ASKED_OF_IRC = { automatic: 0, opened: 60, contacts: 60 };
/** Playwrights have more automatic samples, so their opened phrases change little: they are asked once. */
const ASKED_OF_PLAYS = { automatic: 0, opened: 60, contacts: 60 };

export function askedPeople(folder: string, [irc, plays]: [Corpus, Corpus]): MannerSet[] {
  const lines = readIrcLines(folder);
  return [
    {
      ...{ description: "Сидит в чате #ubuntu, помогает разобраться с Linux", asked: ASKED_OF_IRC },
      owners: drawn(
        unseen(irc).map((name) => ircTalks(lines, name)),
        "IRC",
      ).map((one) => joinTalks(one, CONTACTS_OF_IRC)),
    },
    {
      ...{ description: "Пишет пьесы, отвечает репликами", asked: ASKED_OF_PLAYS },
      owners: drawn(playDialogues(folder, unseen(plays), DIALOGUES_OF_PLAYS), "playwrights").map((one) =>
        joinTalks(one, CONTACTS_OF_PLAYS),
      ),
    },
  ];
}

/** Of both parts: they were split for the judge, and nobody has read their twins' answers. */
const unseen = ({ owners }: Corpus): string[] =>
  [...owners.test, ...owners.dev].map(({ name }) => name).filter((name) => !LOOKED_AT.has(name));

const drawn = (people: readonly OwnersTalks[], set: keyof typeof DRAWN): OwnersTalks[] =>
  shuffled(
    people.filter(({ talks }) => countExchanges(talks) >= LEAST_EXCHANGES[set]),
    seededRandom(`manner of ${set}, 1 December`),
  ).slice(0, DRAWN[set]);

const countExchanges = (talks: OwnersTalks["talks"]): number =>
  talks
    .filter(({ kind }) => kind === "private")
    .flatMap(({ lines }) =>
      lines.filter(({ author }, at) => author === null && at > 0 && lines[at - 1]!.author !== null),
    ).length;
