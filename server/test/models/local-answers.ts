/** Answers of a local model. */

import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { learnScorer } from "#server/knowledge/style-scorer/learn-scorer.ts";
import { scorerOf } from "#server/knowledge/style-scorer/stored-scorer.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { asked, prepareTinyModel } from "#server/test/models/local-generator-bench.ts";

export const ODD = new URL("./odd-host.ts", import.meta.url);

export const bench = prepareTinyModel();
export const { hostOf } = bench;

/** A scorer of a person who writes in one breath and uses smiles. */
const scorer = scorerOf(
  {
    scorer: learnScorer(
      {
        own: messagesOf(OWNER, 200, "known").map((text) => ({ text, contactId: null })),
        others: OTHERS.flatMap((habits, at) => messagesOf(habits, 40, `${at}`)).map((text) => ({
          text,
          contactId: null,
        })),
      },
      new Map(),
    ),
  },
  null,
)!;
export const remark = (over: Partial<ReplyRequest> = {}) =>
  asked({
    ...{ message: "Мы вчера вернулись с дачи", chunks: [], scorer, ...over },
    plan: { kind: "smalltalk", confidence: 0.6, reason: "" },
  });
