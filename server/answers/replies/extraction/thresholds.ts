/**
 * Confidences of retrieval (0..1) from which a plan is chosen. Retrieval is calibrated so that .5 answers 95 % of the answerable
 * questions with 5 % false answers, so questions are answered from there. A message that is no question needs a higher confidence and a
 * sentence that repeats its statement (`FoundAnswer.toRemark`). A remark may get a past reply at a lower similarity than a question,
 * because it asks for no fact; its confidence is low, so a channel that sends only sure answers holds it.
 */
export const THRESHOLDS = {
  knowledge: 0.5,
  knowledgeWithoutQuestion: 0.65,
  /**
   * Likelihood from which a sentence is quoted with its context. On bench:answers, two of five such quotations contain the answer, and
   * one of four unanswerable questions gets one.
   */
  quotation: 0.1,
  /** A complaint shares words with a document without asking for it. */
  quotationWithoutQuestion: 0.2,
  /** Likelihood from which a quotation is shown after «не знаю»; below it only common words are shared. */
  nearest: 0.01,
  recurring: 0.55,
  recurringRemark: 0.25,
  /** Likelihood of fit (`ReplyExample.fit`) below which a past reply is never repeated. */
  fit: 0.3,
  /** From here the owner has answered this very question, and his reply takes precedence over documents. */
  recurringFirst: 0.85,
} as const;
