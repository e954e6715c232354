/** Derives the plan from a model's answer: its sources and its confidence (docs/decisions/026-answer-verification.md). */

import { askedTypes, typeFit } from "#server/knowledge/language/question/answer-type.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import type { AnswerNotes, Plan, ReplyRequest } from "../reply-request.ts";
import { admitsUnknown, declines } from "./refusals.ts";
import { rootsOf } from "./roots.ts";
import { ReplySources } from "./sources.ts";
import { type Support, supportOf } from "./support.ts";

/**
 * Confidence = least + share · (supported share of the answer's words) + relevance · (share of the question's words near them). It is
 * linear, so that both parts can be weighed, and bounded. Search scores are not part of it.
 */
const CONFIDENCE = { least: 0.1, share: 0.4, relevance: 0.4 };
/**
 * Maximum confidence of answers that are weaker than a document's own sentence. All are below .7, from which channels send without
 * approval.
 */
const AT_MOST = {
  computed: 0.6,
  weak: 0.55,
  again: 0.65,
  shortened: 0.65,
  defers: 0.5,
  turned: 0.6,
  bare: 0.4,
  verdict: 0.6,
  untyped: 0.5,
  notKnown: 0.3,
};
/** Less confident answers are shown only after the owner has read them. */
const MIN_SHOWN_CONFIDENCE = 0.4;
/** A bare «да» or «нет» is accepted only if one passage of the sources contains at least this share of the question's words. */
const DECIDED = 0.75;
/** Confidence of a reply to a remark, which states nothing. */
const MET = 0.75;

export function planOfAnswer(request: ReplyRequest, response: string, notes: AnswerNotes | undefined): Plan {
  if (notes?.kind === "held") {
    const pieces = [...new Set(notes.unsupported)].slice(0, 5).map((piece) => `«${piece.slice(0, 40)}»`);
    return {
      ...{ kind: "unknown", confidence: 0.1, held: true },
      reason: `Модель назвала то, чего нет ни в документах, ни в разговоре: ${pieces.join(", ")}. Двойник этого не сказал: ответьте сами.`,
    };
  }
  const sentences = splitSentences(response);
  const open = sentences.filter(
    (one) => admitsUnknown(one) || declines(one) || commitmentsIn(one).some(({ defers }) => defers),
  );
  const stated = sentences.filter((one) => !open.includes(one)).join(" ");
  const sources = ReplySources.of(request);
  const support = supportOf(stated, request.message, sources);
  if (notes?.kind === "unknown" || (open.length > 0 && support.kind === null)) {
    return {
      kind: "unknown",
      confidence: Math.min(AT_MOST.notKnown, support.relevance * AT_MOST.notKnown),
      reason: "Модель не нашла ответа в том, что известно двойнику.",
    };
  }
  const confidence = confidenceOf(support, request, notes, { stated, leavesOpen: open.length > 0 });
  const decided = support.verdict && !support.turned && support.relevance >= DECIDED;
  if (!decided && (support.kind === null || support.bare))
    return notStated(request, confidence, {
      echoes: rootsOf(stated).length > 1 && support.bare,
      isSocial: isSocial(stated),
    });
  if (support.kind === "example")
    return {
      kind: "recurring",
      confidence: Math.min(AT_MOST.weak, confidence),
      reason: "Модель ответила по прошлым ответам владельца: в документах этого нет.",
    };
  const document = request.chunks[0]?.name;
  if (confidence < MIN_SHOWN_CONFIDENCE)
    return {
      ...{ kind: "knowledge", confidence, held: true },
      reason: "Модель ответила, но документы это почти не подтверждают: проверьте её ответ.",
    };
  return {
    kind: "knowledge",
    confidence,
    reason:
      document === undefined || support.kind === "said"
        ? "Модель ответила из того, что уже сказано в разговоре."
        : reasonOf(support, notes, document),
  };
}

function reasonOf({ turned }: Support, notes: AnswerNotes | undefined, document: string): string {
  const found = `Модель ответила по документам; ближе всего к вопросу «${document}».`;
  if (notes?.shortened && notes.unsupported.length > 0)
    return `${found} Убрано то, чего нет ни в документах, ни в разговоре: ${[...new Set(notes.unsupported)]
      .slice(0, 3)
      .map((piece) => `«${piece.slice(0, 40)}»`)
      .join(", ")}.`;
  if (notes?.computed) return `${found} Модель считала сама: проверьте сумму.`;
  if (turned) return `${found} В ответе есть «нет» или «не», которых в документе рядом нет, или наоборот: проверьте.`;
  return found;
}

/** Whether a text only greets, thanks or reacts in a word or two. */
export const isSocial = (text: string): boolean =>
  splitSentences(text).every((one) => smallTalkOf(one) !== null || rootsOf(one).length <= 2);

function notStated(
  { message, plan }: ReplyRequest,
  confidence: number,
  { echoes, isSocial: social }: { echoes: boolean; isSocial: boolean },
): Plan {
  if (wantOf(message) === "statement" && !echoes) {
    const met = plan.kind === "smalltalk" && social ? plan : null;
    return (
      met ?? {
        kind: "smalltalk",
        confidence: MET - 0.2,
        reason: "Модель откликнулась на реплику и ничего не утверждала.",
      }
    );
  }
  return {
    ...{ kind: "unknown", confidence: Math.min(AT_MOST.bare, confidence), held: true },
    reason: "Модель ответила, но подтвердить её ответ нечем: проверьте его.",
  };
}

/** Whether the answer has the type asked for: a time for «во сколько», a person for «кто». A bare number may be a price or a time. */
function fitsType(message: string, stated: string): boolean {
  const counted = /\d/.test(stated) ? ["money", "number", "clock", "duration", "hours", "share"] : [];
  const types = askedTypes(message).filter((type) => !counted.includes(type));
  return typeFit(types, stated, {}) >= 0;
}

function confidenceOf(
  support: Support,
  request: ReplyRequest,
  notes: AnswerNotes | undefined,
  { stated, leavesOpen }: { stated: string; leavesOpen: boolean },
): number {
  const { share, relevance, turned, bare, verdict } = support;
  const said = CONFIDENCE.least + CONFIDENCE.share * (verdict ? relevance : share) + CONFIDENCE.relevance * relevance;
  const similarity = request.corrected ? Math.min(0.98, request.corrected.similarity) : 1;
  const most = [
    similarity,
    notes?.computed ? AT_MOST.computed : 1,
    notes?.weak ? AT_MOST.weak : 1,
    notes?.again ? AT_MOST.again : 1,
    notes?.shortened ? AT_MOST.shortened : 1,
    leavesOpen ? AT_MOST.defers : 1,
    turned ? AT_MOST.turned : 1,
    bare ? AT_MOST[verdict ? "verdict" : "bare"] : 1,
    fitsType(request.message, stated) ? 1 : AT_MOST.untyped,
  ];
  return Math.min(said, ...most);
}
