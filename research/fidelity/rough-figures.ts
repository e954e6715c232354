// How often the bounds of a rough figure (three contacts, 250 messages of the owner) hold what the whole history gives: for people of the
// public sets and twins from a stranger to the owner himself. QUALITY_SHOW prints every case as JSON; the bounds were fitted on those of
// the development part (server/answers/fidelity/interval.ts).
import { type Fidelity, trainJudge } from "#server/answers/fidelity/fidelity.ts";
import { mean } from "#server/answers/fidelity/typicality.ts";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import type { Corpus, Speaker } from "../../bench/material/speakers.ts";
import { type Stage, stageOf } from "./attacks/stage.ts";
import { twins } from "./attacks/twins.ts";

const OWN = 250;
const CONTACTS = 3;
/** A contact writes about as much as the owner writes to them. */
const OF_A_CONTACT = Math.round(OWN / CONTACTS);
const HELD = Math.round(0.2 * OWN);
const TRIES = 3;
/** Those whose figure on the whole history stands between the ends of the scale, and the ends. */
const KINDS = [
  "the owner, held out",
  "three quarters the owner",
  "half the owner, half a stranger",
  "a quarter the owner",
  "a stranger",
  "a stranger with the owner's surface habits",
  "verbatim memory at random",
  "Markov, order 1",
];

interface Case {
  kind: string;
  whole: number;
  rough: Fidelity;
}

/** The newest of what the owner said before, three of the people, some of the true replies. */
function little(stage: Stage): Stage {
  const { evidence, random } = stage;
  const half = Math.round((OWN - HELD) / 2);
  const people = shuffled(
    [...evidence.people].filter(([, texts]) => texts.length >= 40),
    random,
  );
  const memory = evidence.memory.slice(-half);
  return {
    ...stage,
    memory,
    evidence: {
      memory,
      own: evidence.own.slice(-half),
      people: new Map(people.slice(0, CONTACTS).map(([name, texts]) => [name, texts.slice(-OF_A_CONTACT)])),
      held: shuffled(evidence.held, random).slice(0, HELD),
    },
  };
}

function casesOf(owner: Speaker, corpus: Corpus): Case[] {
  const stage = stageOf(owner, corpus);
  const judge = trainJudge(stage.evidence, stage.random);
  const whole = new Map(KINDS.map((kind) => [kind, judge.judge(twins[kind]!(stage)).value]));
  return Array.from({ length: TRIES }, () => {
    const part = little(stage);
    const rough = trainJudge(part.evidence, part.random);
    return KINDS.map((kind): Case => {
      const replies = shuffled(twins[kind]!(part), part.random).slice(0, HELD);
      return { kind, whole: whole.get(kind)!, rough: rough.judge(replies) };
    });
  }).flat();
}

const holds = ({ whole, rough }: Case) => rough.low - 1e-9 <= whole && whole <= rough.high + 1e-9;

type RoughRow = Record<"held" | "below" | "above" | "whole" | "rough" | "width", string>;

/** For each kind of twin: how often the bounds hold, on which side they fail, and the mean figures. */
export function roughFigures(corpus: Corpus, owners: readonly Speaker[]): Record<string, RoughRow> {
  const cases = owners.flatMap((owner) => casesOf(owner, corpus));
  if (process.env.QUALITY_SHOW !== undefined) for (const one of cases) console.error(JSON.stringify(one));
  const rows = [...KINDS, "all"].map((kind) => {
    const of = cases.filter((one) => kind === "all" || one.kind === kind);
    const share = (test: (one: Case) => boolean) => mean(of.map((one) => (test(one) ? 1 : 0))).toFixed(2);
    const row: RoughRow = {
      held: share(holds),
      below: share(({ whole, rough }) => whole < rough.low),
      above: share(({ whole, rough }) => whole > rough.high),
      whole: mean(of.map(({ whole }) => whole)).toFixed(2),
      rough: mean(of.map(({ rough }) => rough.value)).toFixed(2),
      width: mean(of.map(({ rough }) => rough.high - rough.low)).toFixed(2),
    };
    return [kind, row] as const;
  });
  return Object.fromEntries(rows);
}
