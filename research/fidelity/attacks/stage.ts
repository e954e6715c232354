// What an owner of the public sets gives a measure of fidelity: memory and verification, true replies and further ones, people, a stranger.
import type { Evidence } from "#server/answers/fidelity/evidence.ts";
import { MAX_JUDGED_REPLIES } from "#server/answers/fidelity/fidelity.ts";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Corpus, Speaker } from "../../../bench/material/speakers.ts";

const PEOPLE = 40;

export interface Stage {
  evidence: Evidence & { memory: string[] };
  /** The owner's texts that the twin under test remembers. */
  memory: string[];
  /** The owner's texts from the newest sessions that are not among the true replies. */
  later: string[];
  /** Texts of a person who is not among the owner's contacts. */
  stranger: string[];
  random: () => number;
}

/** Older sessions are halved into memory and verification, the newest into true replies and further ones of the owner's own. */
export function stageOf(owner: Speaker, { everyone }: Corpus): Stage {
  const random = seededRandom(`stage of ${owner.name}`);
  const others = shuffled(
    everyone.filter((one) => one !== owner),
    random,
  );
  const stranger = others.find(({ texts }) => texts.length >= MAX_JUDGED_REPLIES)!;
  const people = others.filter((one) => one !== stranger).slice(0, PEOPLE);
  const older = owner.texts.slice(0, owner.newest);
  const half = Math.floor(older.length / 2);
  const newest = shuffled(owner.texts.slice(owner.newest), random).slice(0, 2 * MAX_JUDGED_REPLIES);
  const evidence = {
    memory: older.slice(0, half),
    own: older.slice(half),
    people: new Map(people.map(({ name, texts }) => [name, texts])),
    held: newest.slice(0, Math.ceil(newest.length / 2)),
  };
  return {
    evidence,
    memory: evidence.memory,
    later: newest.slice(evidence.held.length),
    stranger: shuffled(stranger.texts, random).slice(0, MAX_JUDGED_REPLIES),
    random,
  };
}
