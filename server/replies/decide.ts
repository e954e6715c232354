import { wantOf } from "#server/language/question.ts";
import { type SmallTalkSubject, smallTalkOf } from "#server/language/small-talk.ts";
import { planOfAnswer } from "./checking/answer-plan.ts";
import type { Generator, Plan, ReplyEvidence, ReplyRequest } from "./generators/generator.ts";
import { holdsUnsupported, type ReusableReply, reusableReplies } from "./wording/reuse.ts";

/**
 * Confidences of retrieval (0..1) from which a plan is made. Retrieval sets .5 where it answers 95 % of what it can and
 * gives 5 % false answers, so a question is answered from there on; what is no question needs more to be taken for one, and a
 * sentence that itself says what the message says (`FoundAnswer.toRemark`).
 * A remark may be answered by a past reply on a weaker likeness than a question, for it asks for no fact; the confidence
 * says how weak, so that a channel which sends only what is sure holds it.
 */
export const THRESHOLDS = {
  knowledge: 0.5,
  knowledgeWithoutQuestion: 0.65,
  /** Of the sentence a quotation stands around: of bench:answers' questions looked at, two of five quoted so hold the answer, one of four without an answer is quoted at. */
  quotation: 0.1,
  /** A complaint shares words with a document without asking for it. */
  quotationWithoutQuestion: 0.2,
  recurring: 0.55,
  recurringRemark: 0.25,
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
      reason:
        evidence.corrected.source === undefined
          ? "На похожий вопрос ответ уже исправляли: двойник отвечает, как вы исправили."
          : "Двойник отвечает фактом из вашей переписки, который вы подтвердили.",
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
  if (evidence.asksFor) {
    return {
      kind: "recurring",
      confidence: 0.6,
      ask: evidence.asksFor,
      reason: `Спросили о своём: без данных не ответить, двойник просит ${evidence.asksFor}.`,
    };
  }
  const document = evidence.passages[0];
  const enough = want === "question" ? THRESHOLDS.knowledge : THRESHOLDS.knowledgeWithoutQuestion;
  const fits = want === "question" || evidence.answer?.toRemark !== false;
  const knowledge: Plan | null =
    document !== undefined && want !== "request" && fits && passages >= enough
      ? { kind: "knowledge", confidence: passages, reason: `Ответ найден в документе «${document.name}».` }
      : null;
  const recurringFirst = exemplars >= THRESHOLDS.recurringFirst && exemplars >= passages;
  // Weighing the past replies is dear, and no document's answer waits for it.
  if (knowledge !== null && !recurringFirst) return knowledge;

  const reply = exemplars >= THRESHOLDS.recurringRemark ? reusableReplies(evidence)[0] : undefined;
  const recurring: Plan = {
    kind: "recurring",
    confidence: recurringConfidence(exemplars, reply),
    reason: recurringReason(reply),
  };
  // Yes to the one and no to the other: who asks would get either by chance.
  const undecided = want === "question" && reply?.agreement.opposed === true && !reply.exemplar.sameContact;
  if (reply !== undefined && !undecided && recurringFirst) return recurring;
  if (knowledge !== null) return knowledge;
  const like = want === "statement" ? THRESHOLDS.recurringRemark : THRESHOLDS.recurring;
  if (reply !== undefined && !undecided && exemplars >= like) return recurring;
  const { quotation } = evidence;
  const near = want === "question" ? THRESHOLDS.quotation : THRESHOLDS.quotationWithoutQuestion;
  if (quotation && want !== "request" && quotation.likelihood >= near) {
    return {
      kind: "quoted",
      confidence: Math.min(0.49, quotation.likelihood),
      reason: `Точного ответа двойник не нашёл и показал, что сказано в документе «${quotation.passage.name}».`,
    };
  }
  const heldBack = reply === undefined && exemplars >= THRESHOLDS.recurring && holdsUnsupported(evidence);
  return {
    kind: "unknown",
    confidence: Math.min(0.3, Math.max(passages, exemplars) / 2),
    reason:
      want === "request"
        ? "Просят о действии: это решает владелец."
        : undecided && exemplars >= THRESHOLDS.recurring
          ? "На похожее владелец отвечал и «да», и «нет»: двойник не угадывает."
          : heldBack
            ? "Владелец уже отвечал на похожее, но в том ответе есть число, имя, дата или ссылка, которых нет в документах: без источника двойник их не повторяет."
            : want === "question"
              ? "В документах и прошлых ответах ничего подходящего не нашлось."
              : "Сообщение не похоже ни на одно из прежних.",
  };
}

/**
 * What is known before the answer is there. Of a model nothing but small talk is: what words have found does not decide what it may say, so
 * this is the best that it may come to.
 */
export function planBefore(generator: Generator, { plan, corrected }: ReplyRequest): Plan {
  if (generator.name !== "llm" || corrected || plan.kind === "smalltalk") return plan;
  return { kind: "knowledge", confidence: 1, reason: "Ответ пишет модель." };
}

/** What the plan has come to when the answer is read: a model's stands on what it says, not on what was found for it. */
export function planAfter(generator: Generator, request: ReplyRequest, response: string): Plan {
  const { plan, corrected } = request;
  if (generator.fellBack?.(request)) {
    return { ...plan, reason: `Модель не ответила, двойник ответил сам по документам. ${plan.reason}` };
  }
  if (generator.name !== "llm") return plan;
  const notes = generator.notes?.(request);
  if (notes?.kind === "held") return planOfAnswer(request, response, notes);
  if (corrected || (plan.kind === "smalltalk" && !notes?.shortened)) return plan;
  return planOfAnswer(request, response, notes);
}

/** Each of two that agree takes a quarter of the doubt; what was said to somebody else is a little less sure. */
function recurringConfidence(likeness: number, reply: ReusableReply | undefined): number {
  const agreed = 1 - (1 - likeness) * 0.75 ** Math.min(2, reply?.agreement.same ?? 0);
  return agreed * (reply?.exemplar.sameContact === false ? 0.9 : 1);
}

function recurringReason(reply: ReusableReply | undefined): string {
  if (reply !== undefined && reply.agreement.same > 0) return "Владелец не раз отвечал на похожее одно и то же.";
  return reply?.exemplar.sameContact
    ? "Владелец уже отвечал этому собеседнику на похожее."
    : "Владелец уже отвечал на похожее сообщение.";
}
