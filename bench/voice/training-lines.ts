// Lines as the platform's export has them: talks that end with the owner's reply, the newest sessions in the checking part.
import type { Exchange, PartedTalks } from "./part-talks.ts";

/** What stands before every talk, in training and when a reply is asked for. */
export const SYSTEM = {
  ru: "Ты отвечаешь на сообщения за владельца, от первого лица и так, как пишет он сам.",
  en: "You answer messages for the owner, in the first person and as he writes himself.",
};
export type Language = keyof typeof SYSTEM;

/** Maximum number of exchanges per line; longer lines would have to be truncated. */
const EXCHANGES = 6;
/** Minimum share of the owner's replies, from the newest sessions, that is held back for the test file. */
const CHECKED = 0.12;
/** Maximum number of held-out exchanges, the newest ones, because each costs a pass through the model. */
const HELD = 60;

interface TrainingLines {
  train: string;
  test: string;
  /** Exchanges that the judge asks about; nothing is selected with them. */
  held: string;
}

export function trainingLines({ sessions, held }: PartedTalks, language: Language): TrainingLines {
  const total = sessions.flat().length;
  let newer = 0;
  let first = sessions.length;
  while (newer < CHECKED * total) newer += sessions[--first]!.length;
  const lines = (all: readonly Exchange[][]) =>
    all
      .flatMap(parts)
      .map((talk) => line(talk, language))
      .join("");
  return {
    train: lines(sessions.slice(0, first)),
    test: lines(sessions.slice(first)),
    held: lines(held.slice(-HELD).map((exchange) => [exchange])),
  };
}

const parts = (session: readonly Exchange[]): Exchange[][] =>
  Array.from({ length: Math.ceil(session.length / EXCHANGES) }, (_, at) =>
    session.slice(at * EXCHANGES, (at + 1) * EXCHANGES),
  );

function line(talk: readonly Exchange[], language: Language): string {
  const turns = talk.flatMap(({ incoming, reply }) => [
    { role: "user", content: incoming },
    { role: "assistant", content: reply },
  ]);
  return `${JSON.stringify({ messages: [{ role: "system", content: SYSTEM[language] }, ...turns] })}\n`;
}
