import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { trainReader } from "#server/answers/fidelity/fluency.ts";
import { readCorpora } from "../../../bench/material/speakers.ts";
import { stageOf } from "./stage.ts";
import { twins } from "./twins.ts";

const folder = resolve(process.env.BENCH_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const sets = ["irc.dev.jsonl.gz", "rusdracor.dev.jsonl.gz"];
const PIECED = ["word-shuffled", "Markov, order 1", "Markov, order 2", "glued halves"];
const OWNERS = 2;

test("text that nobody wrote is told from what its owner wrote, in two languages, whether or not the memory is known", (context) => {
  if (!sets.every((set) => existsSync(join(folder, set)))) context.skip(`no public sets in ${folder}`);
  for (const corpus of readCorpora(folder)) {
    for (const owner of corpus.owners.dev.slice(0, OWNERS)) {
      const stage = stageOf(owner, corpus);
      const { own, held, memory, people } = stage.evidence;
      const others = [...people.values()].flat();
      for (const known of [memory, []]) {
        const { read, fluency } = trainReader({ own, held, memory: known, others }, stage.random);
        const of = (name: string) => fluency(read(twins[name]!(stage)));
        const about = `${corpus.name}, ${owner.name}, ${known.length} messages known`;
        expect(of("the owner, held out"), about).toBeGreaterThan(0.7);
        for (const name of PIECED) expect(of(name), `${name} of ${about}`).toBeLessThan(0.1);
      }
    }
  }
});
