// Who is tried: of the people that no code was tuned on, those who say most.
import { readCorpora } from "../material/speakers.ts";
import { ircTalks, type OwnersTalks, playTalks, readIrcLines } from "../material/talks.ts";
import type { Language } from "./training-lines.ts";

interface Person {
  /** For file names. */
  id: string;
  language: Language;
  talks: OwnersTalks;
}

export function people(folder: string, most: number): Person[] {
  const [irc, plays] = readCorpora(folder);
  const talkers = (corpus: typeof irc) =>
    corpus!.owners.test
      .toSorted((a, b) => b.texts.length - a.texts.length)
      .slice(0, most)
      .map(({ name }) => name);
  const lines = readIrcLines(folder);
  return [
    ...talkers(irc).map((name, at): Person => ({ id: `irc-${at + 1}`, language: "en", talks: ircTalks(lines, name) })),
    ...playTalks(folder, talkers(plays)).map((talks, at): Person => ({ id: `plays-${at + 1}`, language: "ru", talks })),
  ];
}
