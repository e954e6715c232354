import type { Reply } from "#contract/conversations/conversations.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { citationsIn } from "../checking/citations.ts";
import { withoutMarkup } from "../extraction/markup.ts";
import { type Generator, isByModel } from "../generator.ts";
import { namedChunks, namesCorrection } from "../record/named-sources.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { shownNearest } from "../wording/nearest-quoted.ts";
import { planAfter } from "./decide.ts";

/** Minimum share of the best chunk's score for a chunk to be named as a source. */
const SOURCE_SHARE = 0.5;
const SHOWN_REPLY_EXAMPLES = 3;
const BETWEEN = "\n\n…\n\n";

export type Citations = Pick<
  Reply,
  "sources" | "replyExamples" | "confidence" | "basis" | "reason" | "action" | "parted" | "calls" | "scripted"
>;

/** @param response the whole text; of several good chunks, those are named whose words it uses */
export function citationsOf(generator: Generator, request: ReplyRequest, response: string): Citations {
  const { tools } = request;
  const calls = tools === undefined || tools.calls.length === 0 ? {} : { calls: tools.calls };
  if (!tools?.script) return { ...citationsOfAnswer(generator, request, response), ...calls };
  const { kind: basis, confidence, reason, action } = tools.script.plan;
  return {
    ...{ sources: byDocument(tools.results), replyExamples: [], confidence, basis, reason, ...calls, scripted: true },
    ...(action === undefined ? {} : { action }),
  };
}

function citationsOfAnswer(generator: Generator, request: ReplyRequest, response: string): Citations {
  const { chunks, replyExamples } = request;
  const plan = planAfter(generator, request, response);
  const { confidence, kind: basis, reason } = plan;
  const notes = generator.notes?.(request);
  const recorded = notes?.recorded;
  const parted = plan.parted ? { parted: plan.parted } : {};
  // Without a record only the correction is said; a record may answer from elsewhere.
  if (request.corrected && basis !== "unknown" && (recorded === undefined || namesCorrection(recorded))) {
    const { source, text } = request.corrected;
    const taught = source === undefined ? [] : [{ documentId: "", name: source, text }];
    const besides = recorded === undefined ? [] : byDocument(namedChunks(recorded));
    return { sources: [...taught, ...besides], replyExamples: [], confidence, basis: "corrected", reason, ...parted };
  }
  const unsure = notes?.kind === "unsure";
  const byModel = !unsure && isByModel(generator, request);
  const showsReplyExamples =
    (plan.kind === "recurring" && plan.ask === undefined) || (byModel && plan.kind !== "unknown");
  return {
    sources:
      plan.kind === "knowledge" || plan.action !== undefined
        ? recorded === undefined
          ? sourcesOf(chunks, response)
          : byDocument(namedChunks(recorded))
        : byModel
          ? []
          : byDocument(shownNearest(request).map(({ chunk }) => chunk)),
    replyExamples: showsReplyExamples
      ? replyExamples.slice(0, SHOWN_REPLY_EXAMPLES).map(({ incoming, reply }) => ({ incoming, reply }))
      : [],
    confidence,
    basis,
    reason,
    ...(plan.action === undefined ? {} : { action: plan.action }),
    ...parted,
  };
}

function sourcesOf(chunks: readonly ReplyChunk[], response: string): Reply["sources"] {
  const best = chunks[0]?.score ?? 0;
  const good = chunks.filter((chunk) => chunk.score >= best * SOURCE_SHARE);
  const cited = [...new Set(citationsIn(response, good).map(({ chunk }) => chunk))];
  return byDocument(cited.length > 0 ? cited : good.slice(0, 1));
}

/** Each document occurs once, with the text of its cited chunks without markup. */
function byDocument(chunks: readonly ReplyChunk[]): Reply["sources"] {
  const sources = new Map<string, Reply["sources"][number]>();
  for (const { documentId, name, text } of new Set(chunks)) {
    const key = `${documentId}\n${name}`;
    const before = sources.get(key)?.text;
    const plain = withoutMarkup(text);
    sources.set(key, { documentId, name, text: before === undefined ? plain : `${before}${BETWEEN}${plain}` });
  }
  return [...sources.values()];
}
