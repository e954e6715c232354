/** Scores how well found texts answer a question within a strict time limit: a reply never waits long and never fails because of it. */

import { ModelFailure } from "#server/models/host/failures.ts";
import type { ModelHost } from "#server/models/host/model-host.ts";
import type { Log } from "#server/platform/log.ts";
import type { Asker } from "#server/platform/process/fair-scheduler.ts";

export interface Reranker {
  /**
   * Returns the likelihood, 0..1, that each text answers the question, in order; only the first few texts may be scored. Null when the
   * time is over: the order then stays. Call it outside any transaction.
   */
  scores(question: string, texts: readonly string[], asker: Asker): Promise<number[] | null>;
}

export const RERANKED = 20;
/** Minimum number reranked on a slow machine; fewer are not worth it. */
const MIN_RERANKED = 4;
/** Characters of each text: such a model reads 512 tokens. */
const LONGEST = 1500;
/** After this many consecutive failures, the model is not called for `REST_MS`. */
const FAILURES = 3;
const REST_MS = 30_000;

interface Options {
  host: Pick<ModelHost, "facts" | "rerank">;
  timeoutMs: number;
  log: Log;
  now?: () => number;
}

export function localReranker({ host, timeoutMs, log, now = () => performance.now() }: Options): Reranker {
  let most = RERANKED;
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    async scores(question, texts, asker) {
      if (now() < restsUntil) return null;
      const signal = AbortSignal.timeout(timeoutMs);
      const asked = texts.slice(0, most).map((text) => text.slice(0, LONGEST));
      let begun: number | null = null;
      try {
        // Loading the model must not count as reading time.
        await host.facts(signal);
        begun = now();
        const scores = await host.rerank(question.slice(0, LONGEST), asked, { asker, signal });
        failures = 0;
        if (now() - begun < timeoutMs / 2) most = Math.min(RERANKED, most + MIN_RERANKED);
        return scores;
      } catch (error) {
        if (!signal.aborted && !(error instanceof ModelFailure)) throw error;
        if (signal.aborted && begun !== null && most > MIN_RERANKED) {
          most = Math.max(MIN_RERANKED, Math.floor(most / 2));
          return null;
        }
        failures++;
        if (failures >= FAILURES) {
          restsUntil = now() + REST_MS;
          const reason = error instanceof ModelFailure ? error.reason : "too late";
          log.warn({ reason }, "the reranker is away: what was found stays in its order");
        }
        return null;
      }
    },
  };
}
