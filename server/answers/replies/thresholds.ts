/**
 * Confidences of retrieval (0..1) from which on a plan is chosen. Retrieval is calibrated so that at .5 it answers 95 % of the
 * answerable questions and gives 5 % false answers, so a question is answered from there on. A message that is no question needs a
 * higher confidence and a sentence that itself says what the message says (`FoundAnswer.toRemark`). A remark may get a past reply at a
 * lower similarity than a question, because it asks for no fact; the confidence shows it, so that a channel which sends only what is sure
 * holds it.
 */
export const THRESHOLDS = {
  knowledge: 0.5,
  knowledgeWithoutQuestion: 0.65,
  /**
   * Likelihood from which on a sentence is quoted with its surroundings. Of the questions of bench:answers, two of five such quotations
   * hold the answer, and one of four unanswerable questions gets one.
   */
  quotation: 0.1,
  /** A complaint shares words with a document without asking for it. */
  quotationWithoutQuestion: 0.2,
  /** Likelihood from which on a quotation is shown after «не знаю»; below it only common words are shared. */
  nearest: 0.01,
  recurring: 0.55,
  recurringRemark: 0.25,
  /** Likelihood that a past reply fits (`ReplyExample.fit`) below which it is not repeated, whatever the search says. */
  fit: 0.3,
  /** From here on the owner has answered this very question, and his reply goes before documents. */
  recurringFirst: 0.85,
} as const;
