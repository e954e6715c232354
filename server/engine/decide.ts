import type { Plan, ReplyEvidence } from "./generators/generator.ts";
import { wantOf } from "./question.ts";
import { holdsUnsupported, reusableReplies } from "./reuse.ts";
import { type SmallTalkSubject, smallTalkOf } from "./small-talk.ts";

/**
 * Confidences of retrieval (0..1) from which a plan is made. Retrieval sets .5 where it answers 95 % of what it can and
 * gives 5 % false answers, so a question is answered from there on; what is no question needs more to be taken for one.
 * A remark may be answered by a past reply on a weaker likeness than a question, for it asks for no fact; the confidence
 * says how weak, so that a channel which sends only what is sure holds it.
 */
export const THRESHOLDS = {
  knowledge: 0.5,
  knowledgeWithoutQuestion: 0.65,
  recurring: 0.55,
  recurringRemark: 0.15,
  /** The owner has answered this very thing: said before what documents say. */
  recurringFirst: 0.85,
} as const;

const SMALL_TALK_REASONS: Record<SmallTalkSubject, string> = {
  identity: "Спросили, кто отвечает: двойник говорит, что он ИИ.",
  greeting: "Обычная беседа: приветствие.",
  availability: "Обычная беседа: спросили, на связи ли владелец.",
  howAreYou: "Обычная беседа: вопрос о делах.",
  thanks: "Обычная беседа: благодарность.",
  farewell: "Обычная беседа: прощание.",
  acknowledgement: "Обычная беседа: собеседник подтвердил.",
};
const SMALL_TALK_CONFIDENCE: Record<SmallTalkSubject, number> = {
  identity: 1,
  greeting: 0.95,
  availability: 0.8,
  howAreYou: 0.75,
  thanks: 0.95,
  farewell: 0.95,
  acknowledgement: 0.85,
};

/** Answer from knowledge, repeat a recurring reply, talk small, or say that it is not known. */
export function decide(evidence: ReplyEvidence): Plan {
  if (evidence.corrected) {
    return {
      kind: evidence.corrected.kind === "fact" ? "knowledge" : "recurring",
      // Never quite sure: it is the question that is like, not the same person's who asks.
      confidence: Math.min(0.98, evidence.corrected.likeness),
      reason: "Владелец исправил ответ на такой вопрос: двойник отвечает, как он велел.",
    };
  }
  const subjects = smallTalkOf(evidence.message);
  // «ты на месте?» has an answer of the owner's own sooner than a set phrase.
  const answered =
    subjects?.[0] === "availability" &&
    evidence.confidence.exemplars >= THRESHOLDS.recurring &&
    reusableReplies(evidence).length > 0;
  if (subjects !== null && !answered) {
    const confidence = Math.min(...subjects.map((subject) => SMALL_TALK_CONFIDENCE[subject]));
    return { kind: "smalltalk", confidence, reason: SMALL_TALK_REASONS[subjects[0]!] };
  }

  const { passages, exemplars } = evidence.confidence;
  const want = wantOf(evidence.message);
  const reply = exemplars >= THRESHOLDS.recurringRemark ? reusableReplies(evidence)[0] : undefined;
  const recurring: Plan = {
    kind: "recurring",
    confidence: exemplars * (reply?.exemplar.sameContact === false ? 0.9 : 1),
    reason: reply?.exemplar.sameContact
      ? "Владелец уже отвечал этому собеседнику на похожее."
      : "Владелец уже отвечал на похожее сообщение.",
  };
  if (evidence.asksFor) {
    return {
      kind: "recurring",
      confidence: 0.6,
      ask: evidence.asksFor,
      reason: `Спросили о своём: без данных не ответить, двойник просит ${evidence.asksFor}.`,
    };
  }
  if (reply !== undefined && exemplars >= THRESHOLDS.recurringFirst && exemplars >= passages) return recurring;

  const document = evidence.passages[0];
  const enough = want === "question" ? THRESHOLDS.knowledge : THRESHOLDS.knowledgeWithoutQuestion;
  if (document !== undefined && want !== "request" && passages >= enough) {
    return { kind: "knowledge", confidence: passages, reason: `Ответ найден в документе «${document.name}».` };
  }
  if (reply !== undefined && exemplars >= (want === "statement" ? THRESHOLDS.recurringRemark : THRESHOLDS.recurring))
    return recurring;
  const heldBack = reply === undefined && exemplars >= THRESHOLDS.recurring && holdsUnsupported(evidence);
  return {
    kind: "unknown",
    confidence: Math.min(0.3, Math.max(passages, exemplars) / 2),
    reason:
      want === "request"
        ? "Просят о действии: это решает владелец."
        : heldBack
          ? "Владелец уже отвечал на похожее, но в том ответе есть число, имя, дата или ссылка, которых нет в документах: без источника двойник их не повторяет."
          : want === "question"
            ? "В документах и прошлых ответах ничего подходящего не нашлось."
            : "Сообщение не похоже ни на одно из прежних.",
  };
}
