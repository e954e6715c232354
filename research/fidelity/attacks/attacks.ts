// What the measure of fidelity says of "twins" that are no twins: copies, phrases, a caricature, gibberish, strangers.
import { trainJudge } from "#server/answers/fidelity/fidelity.ts";
import { mean } from "#server/answers/fidelity/typicality.ts";
import type { Corpus, Speaker } from "../../../bench/material/speakers.ts";
import { stageOf } from "./stage.ts";
import { twins } from "./twins.ts";

interface Attack {
  value: number;
  verified: number;
  indistinguishable: number;
}

/** Mean fidelity over owners, for each "twin"; with the judges' own ceiling and floor. */
export function attacks(corpus: Corpus, owners: readonly Speaker[]): Record<string, Attack> {
  const found = new Map<string, Attack[]>();
  const note = (name: string, attack: Attack) => found.set(name, [...(found.get(name) ?? []), attack]);
  for (const owner of owners) {
    const stage = stageOf(owner, corpus);
    const judge = trainJudge(stage.evidence, stage.random);
    for (const [name, make] of Object.entries(twins)) {
      const replies = make(stage);
      if (replies.length < 20) continue;
      note(name, judge.judge(replies));
    }
    note("(ceiling)", judge.ceiling());
    note("(floor)", judge.floor());
  }
  const average = (all: Attack[], field: keyof Attack) => Number(mean(all.map((one) => one[field])).toFixed(3));
  return Object.fromEntries(
    [...found].map(([name, all]) => [
      name,
      {
        value: average(all, "value"),
        verified: average(all, "verified"),
        indistinguishable: average(all, "indistinguishable"),
      },
    ]),
  );
}
