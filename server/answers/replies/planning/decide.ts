import { askedTypes } from "#server/knowledge/language/question/answer-type.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { isComplaint, remarkOf } from "#server/knowledge/language/remarks.ts";
import { type SmallTalkSubject, smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { isGrave } from "#server/knowledge/style/style-transfer.ts";
import { isSocial, planOfAnswer } from "../checking/answer-plan.ts";
import { THRESHOLDS } from "../extraction/thresholds.ts";
import { type Generator, isByModel, isModelAsked } from "../generator.ts";
import { isAnsweredSocially, needsOwner, reasonToFriend } from "../owner-words/friend-policy.ts";
import { planOfRecord } from "../record/record-plan.ts";
import type { Plan, ReplyEvidence, ReplyRequest } from "../reply-request.ts";
import { isLeftToOwner } from "../wording/owner-answers.ts";
import { isWithheldAsUnsupported, type ReusableReply, reusableReplies } from "../wording/reuse.ts";
import { BUSINESS_LIKELIHOOD } from "../wording/small-talk-reply.ts";

const SMALL_TALK_REASONS: Record<SmallTalkSubject, string> = {
  identity: "Спросили, кто отвечает: двойник говорит, что он ИИ.",
  greeting: "Обычная беседа: приветствие.",
  availability: "Обычная беседа: спросили, на связи ли владелец.",
  howAreYou: "Обычная беседа: вопрос о делах.",
  thanks: "Обычная беседа: благодарность.",
  farewell: "Обычная беседа: прощание.",
  acknowledgement: "Обычная беседа: собеседник подтвердил.",
  joy: "Обычная беседа: собеседник рад.",
  waiting: "Обычная беседа: собеседник ждёт.",
};
const SMALL_TALK_CONFIDENCE: Record<SmallTalkSubject, number> = {
  identity: 1,
  greeting: 0.95,
  availability: 0.8,
  howAreYou: 0.75,
  thanks: 0.95,
  farewell: 0.95,
  acknowledgement: 0.85,
  joy: 0.6,
  waiting: 0.6,
};
/** Confidence for a remark: it contains more than small talk, so the owner should see it. */
const REMARK_CONFIDENCE = 0.6;

export function decide(evidence: ReplyEvidence): Plan {
  if (evidence.corrected) {
    return {
      kind: evidence.corrected.kind === "fact" ? "knowledge" : "recurring",
      // Never 1, because the question may only be similar and come from another person.
      confidence: Math.min(0.98, evidence.corrected.similarity),
      reason:
        evidence.corrected.source === undefined
          ? "На похожий вопрос ответ уже исправляли: двойник отвечает, как вы исправили."
          : "Двойник отвечает тем, что вы подтвердили.",
    };
  }
  const subjects = smallTalkOf(evidence.message);
  // For «ты на месте?» the owner's own answer precedes a set phrase.
  const answered =
    subjects?.[0] === "availability" &&
    evidence.confidence.replyExamples >= THRESHOLDS.recurring &&
    reusableReplies(evidence).length > 0;
  if (subjects !== null && !answered) {
    const confidence = Math.min(...subjects.map((subject) => SMALL_TALK_CONFIDENCE[subject]));
    return { kind: "smalltalk", confidence, reason: SMALL_TALK_REASONS[subjects[0]!] };
  }

  const { chunks, replyExamples } = evidence.confidence;
  const want = wantOf(evidence.message);
  if (evidence.asksFor) {
    return {
      kind: "recurring",
      confidence: 0.6,
      ask: evidence.asksFor,
      reason: `Спросили о своём: без данных не ответить, двойник просит ${evidence.asksFor}.`,
    };
  }
  const document = evidence.chunks[0];
  const enough = want === "question" ? THRESHOLDS.knowledge : THRESHOLDS.knowledgeWithoutQuestion;
  const fits = want === "question" || evidence.answer?.toRemark !== false;
  const knowledge: Plan | null =
    document !== undefined && want !== "request" && fits && chunks >= enough
      ? { kind: "knowledge", confidence: chunks, reason: `Ответ найден в документе «${document.name}».` }
      : null;
  const recurringFirst = replyExamples >= THRESHOLDS.recurringFirst && replyExamples >= chunks;
  // Scoring past replies is slow and not needed when a document answers.
  if (knowledge !== null && !recurringFirst) return knowledge;

  const reply = replyExamples >= THRESHOLDS.recurringRemark ? reusableReplies(evidence)[0] : undefined;
  const recurring: Plan = {
    kind: "recurring",
    confidence: recurringConfidence(replyExamples, reply),
    reason: recurringReason(reply),
  };
  // The owner has answered both yes and no to similar questions, so either would be a guess.
  const undecided = want === "question" && reply?.agreement.opposed === true && !reply.replyExample.sameContact;
  if (reply !== undefined && !undecided && recurringFirst) return recurring;
  if (knowledge !== null) return knowledge;
  const like = want === "statement" ? THRESHOLDS.recurringRemark : THRESHOLDS.recurring;
  if (reply !== undefined && !undecided && replyExamples >= like) return recurring;
  const { friend } = evidence;
  if (friend) {
    if (!needsOwner(friend))
      return { kind: "smalltalk", confidence: REMARK_CONFIDENCE, reason: reasonToFriend(friend) };
    return {
      kind: "unknown",
      confidence: Math.min(0.3, Math.max(chunks, replyExamples) / 2),
      reason: reasonToFriend(friend),
    };
  }
  const remark = isGrave(evidence.message) ? null : remarkOf(evidence.message);
  if (remark !== null) return { kind: "smalltalk", confidence: REMARK_CONFIDENCE, reason: SMALL_TALK_REASONS[remark] };
  const { quotation } = evidence;
  // A complaint shares words with documents but asks for none of them.
  const asks = want === "question" ? !isComplaint(evidence.message, isGrave) : askedTypes(evidence.message).length > 0;
  const near = want === "question" ? THRESHOLDS.quotation : THRESHOLDS.quotationWithoutQuestion;
  if (quotation && want !== "request" && asks && quotation.likelihood >= near) {
    return {
      kind: "quoted",
      confidence: Math.min(0.49, quotation.likelihood),
      reason: `Точного ответа двойник не нашёл и показал, что сказано в документе «${quotation.chunk.name}».`,
    };
  }
  const heldBack = reply === undefined && replyExamples >= THRESHOLDS.recurring && isWithheldAsUnsupported(evidence);
  return {
    kind: "unknown",
    confidence: Math.min(0.3, Math.max(chunks, replyExamples) / 2),
    reason:
      want === "request"
        ? "Просят о действии: это решает владелец."
        : undecided && replyExamples >= THRESHOLDS.recurring
          ? "На похожее владелец отвечал и «да», и «нет»: двойник не угадывает."
          : heldBack
            ? "Владелец уже отвечал на похожее, но в том ответе есть число, имя, дата или ссылка, которых нет в документах: без источника двойник их не повторяет."
            : want === "question"
              ? "В документах и прошлых ответах ничего подходящего не нашлось."
              : "Сообщение не похоже ни на одно из прежних.",
  };
}

/** Whether a friend's message may get a social reply: the search found nothing, or only a past reply to a similar message. */
export function isSociallyAnswerable({ message, corrected, quotation }: ReplyEvidence, { kind, ask }: Plan): boolean {
  if (corrected || ask !== undefined || kind === "knowledge" || (quotation?.likelihood ?? 0) >= BUSINESS_LIKELIHOOD)
    return false;
  return smallTalkOf(message) === null;
}

/**
 * The plan before the answer exists. A model's answer is judged by its text rather than by the search, so this is the best plan possible,
 * except for small talk.
 */
export function planBefore(generator: Generator, request: ReplyRequest): Plan {
  const { plan, corrected } = request;
  if (request.tools?.isScripted)
    return { kind: "knowledge", confidence: 1, scripted: true, reason: "Отвечает действие владельца." };
  const isScripted = corrected?.kind === "example";
  if (!isModelAsked(generator, request) || isScripted || isAnsweredSocially(request)) return plan;
  // A copy: a model's words may turn out to be no small talk, or more than the fact, so nobody may show them early by this plan.
  if (plan.kind === "smalltalk" || corrected) return { ...plan };
  return { kind: "knowledge", confidence: 1, reason: "Ответ пишет модель." };
}

const WITHOUT_MODEL = "Модель не дала ответа, который документы подтверждают: двойник ответил без неё.";

/** The plan after the answer was checked; for a model it depends on the text rather than on the search. */
export function planAfter(generator: Generator, request: ReplyRequest, response: string): Plan {
  const { plan, tools } = request;
  if (tools?.script) return tools.script.plan;
  if (generator.fellBack?.(request)) {
    return { ...plan, reason: `Модель не ответила, двойник ответил сам по документам. ${plan.reason}` };
  }
  if (!isModelAsked(generator, request)) return plan;
  const after = planOfModel(generator, request, response);
  const mayAnswer = generator.ability === undefined || generator.ability === "answers";
  // A corrected example is the owner's own text, which no model has touched.
  return mayAnswer || after.kind === "smalltalk" || request.corrected?.kind === "example" ? after : capByExam(after);
}

function planOfModel(generator: Generator, request: ReplyRequest, response: string): Plan {
  const { plan, corrected } = request;
  // The check has removed sentences unfit for a friend (checking/friendly-sentence.ts).
  if (isAnsweredSocially(request)) return plan;
  const notes = generator.notes?.(request);
  // Whether a fact of the owner's answers the question, a capable model and its verifier know better than the likeness of two questions.
  if (notes?.recorded !== undefined) return planOfRecord(request, notes.recorded);
  if (notes?.kind === "unsure") return { ...plan, reason: `${WITHOUT_MODEL} ${plan.reason}` };
  if (notes?.kind === "held") return planOfAnswer(request, response, notes);
  if (corrected || (plan.kind === "smalltalk" && !notes?.shortened && isSocial(response))) return plan;
  return planOfAnswer(request, response, notes);
}

/** Below what a channel sends without the owner (.7). */
const EXAMINED_CONFIDENCE = 0.65;

/** A model that failed its exam states nothing without the owner. */
const capByExam = (plan: Plan): Plan => ({
  ...plan,
  confidence: Math.min(EXAMINED_CONFIDENCE, plan.confidence),
  reason: `${plan.reason} Экзамен модели: отвечать самой ей рано, проверьте ответ.`,
});

/** Whether the reply leaves the message to the owner: nothing was found, and the owner's own words do not answer it as a remark. */
export function isLeftUnanswered(generator: Generator, request: ReplyRequest, response: string): boolean {
  if (planAfter(generator, request, response).kind !== "unknown") return false;
  if (request.tools?.script) return true;
  // A model answers remarks itself, so its «не знаю» means that a question was asked.
  return isByModel(generator, request) || isLeftToOwner(request);
}

/** Each of up to two agreeing replies removes a quarter of the doubt; a reply to another contact removes slightly less. */
function recurringConfidence(similarity: number, reply: ReusableReply | undefined): number {
  const likely = Math.min(similarity, reply?.replyExample.fit ?? 1);
  const agreed = 1 - (1 - likely) * 0.75 ** Math.min(2, reply?.agreement.same ?? 0);
  return agreed * (reply?.replyExample.sameContact === false ? 0.9 : 1);
}

function recurringReason(reply: ReusableReply | undefined): string {
  if (reply !== undefined && reply.agreement.same > 0) return "Владелец не раз отвечал на похожее одно и то же.";
  return reply?.replyExample.sameContact
    ? "Владелец уже отвечал этому собеседнику на похожее."
    : "Владелец уже отвечал на похожее сообщение.";
}
