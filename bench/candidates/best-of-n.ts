// One model's candidates, written once; of the first 1, 2, 4 and 8 of them the best is chosen as the product chooses, and each choice measured as the product measures.

import { bestAmong } from "#server/answers/replies/candidates/best-of-n.ts";
import type { Candidate } from "#server/answers/replies/candidates/candidate.ts";
import type { Generator } from "#server/answers/replies/generators/generator.ts";
import { localGenerator } from "#server/answers/replies/generators/local.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { scoreTurn } from "#server/knowledge/style/scorer/score-turn.ts";
import type { ModelHost } from "#server/models/local/model-host.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Log } from "#server/platform/log.ts";
import { learn, twinOfTalks } from "../material/talking-twin.ts";
import type { OwnersTalks } from "../material/talks.ts";
import type { Voiced } from "../model/one-voice.ts";
import { measured } from "../quality/fidelity.ts";

const SIZES = [1, 2, 4, 8];
/** The embedded engine's words: as they are. */
const NOT_CHECKED = {
  ...{ kind: "unsure" as const, unsupported: [], again: false, shortened: false },
  ...{ computed: false, weak: false, defers: false },
};

interface Written {
  request: ReplyRequest;
  candidates: readonly Candidate[];
}

interface Options {
  host: ModelHost;
  log: Log;
  room: number;
  /** The greatest number of candidates. */
  most: number;
  /** So long after the first message the run ends, without the owner whose messages are not all answered. */
  untilMs: number;
  voiced: Voiced | undefined;
}

/** Writes and remembers all candidates by their request's seed; the reply is the first. */
function writing({ host, log, room, most, voiced }: Options, written: Map<string, Written>): Generator {
  const observe = (request: ReplyRequest, candidates: readonly Candidate[]) =>
    written.set(request.seed!, { request, candidates });
  const patient = { totalMs: 600_000, candidatesMs: Number.POSITIVE_INFINITY, candidates: most };
  const local = localGenerator({ host, log, room, observe, voiced, ...patient });
  return {
    name: "llm",
    async *generate(request, signal) {
      let text = "";
      // As a draft, for a small model says little of its own to others; where it says nothing the embedded engine speaks, as it would in earnest.
      for await (const delta of local.generate({ ...request, drafted: true, background: false }, signal)) text += delta;
      if (!written.has(request.seed!))
        written.set(request.seed!, { request, candidates: [{ text, notes: NOT_CHECKED }] });
      if (written.size % 10 === 0) console.error(`${written.size} messages are answered`);
      yield written.get(request.seed!)!.candidates[0]!.text;
    },
  };
}

const choosing = (size: number, written: ReadonlyMap<string, Written>): Generator => ({
  name: "llm",
  async *generate({ seed }) {
    const { request, candidates } = written.get(seed!)!;
    yield bestAmong(candidates.slice(0, size), request).text;
  },
});

type Figures = Record<"scorer" | "typical" | "value" | "S" | "D" | "copies" | "relevance" | "distinct", number>;

/** Means over the owners that could be measured in time. `scorer`: mean nearness by the style scorer (standard deviations); `value`: the judge's √(S · D). */
export async function bestOfN(
  db: Database,
  owners: readonly OwnersTalks[],
  options: Options,
): Promise<Record<string, Record<string, string>>> {
  const found = new Map<string, Figures[]>();
  const note = (name: string, figures: Figures) => found.set(name, [...(found.get(name) ?? []), figures]);
  const begun = performance.now();
  const over = AbortSignal.timeout(options.untilMs);
  for (const owner of owners) {
    if (over.aborted) break;
    const twin = await twinOfTalks(db, owner.talks);
    await learn(db, twin);
    const written = new Map<string, Written>();
    try {
      await measured(db, twin, writing(options, written), over);
    } catch (error) {
      if (!over.aborted) throw error;
      console.error(`${owner.name}: the time was over after ${written.size} messages, so there is no figure`);
      show(written);
      break;
    }
    for (const size of SIZES.filter((one) => one <= options.most)) {
      const { row, replies } = await measured(db, twin, choosing(size, written));
      if (row.value === null) continue;
      const [{ request }] = [...written.values()] as [Written];
      const score = (texts: readonly string[], of: "nearness" | "typicality") =>
        mean(texts.map((text) => (request.scorer ? scoreTurn(text, request.scorer)[of] : 0)));
      const figures = (texts: readonly string[]) => ({
        scorer: score(texts, "nearness"),
        typical: score(texts, "typicality"),
        distinct: new Set(texts).size / texts.length,
      });
      note(`N = ${size}`, {
        ...figures(replies.map(({ twin: reply }) => reply)),
        ...{ value: row.value, S: row.verified!, D: row.indistinguishable! },
        ...{ copies: row.copyRate!, relevance: row.relevance! },
      });
      if (size === 1)
        note("(true replies; older messages)", {
          ...figures(replies.map(({ own }) => own)),
          ...{ value: row.ceiling!, S: Number.NaN, D: Number.NaN, copies: Number.NaN, relevance: Number.NaN },
        });
    }
    const many = [...written.values()].map(({ candidates }) => candidates.length);
    console.error(
      `${owner.name}: ${written.size} messages, ${mean(many).toFixed(1)} candidates that may be said, ${Math.round((performance.now() - begun) / 1000)} s`,
    );
    show(written);
  }
  const names = Object.keys([...found.values()][0]?.[0] ?? {}) as (keyof Figures)[];
  const average = (all: readonly Figures[]) =>
    Object.fromEntries(names.map((name) => [name, mean(all.map((one) => one[name])).toFixed(2)]));
  return Object.fromEntries([...found].map(([name, all]) => [`${name}, ${all.length} people`, average(all)]));
}

function show(written: ReadonlyMap<string, Written>): void {
  if (process.env.QUALITY_SHOW === undefined) return;
  for (const { request, candidates } of written.values())
    console.error(
      request.message,
      candidates.map(({ text }) => text),
      "→",
      bestAmong(candidates, request).text,
    );
}

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
