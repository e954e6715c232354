/** Finds sentences that may not be sent whatever the sources say: copies of the prompt, code, another language, notes about the contact. */

import { MASKS } from "#server/knowledge/facts/personal-data.ts";
import { asksWhoAnswers } from "#server/knowledge/language/disclosure.ts";
import { isCopiedFromPrompt } from "../prompt/prompt-rules.ts";
import type { FormFault } from "../recorded-answer.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { confidentialCheck } from "./confidential.ts";
import { isMachineTalk } from "./refusals.ts";
import { inForeignScript, type Letters, lettersOf } from "./script.ts";
import type { ReplySources } from "./sources.ts";

const CODE = /^\s{0,3}(?:\{\s{0,3}["'}]|\[\s{0,3}[{"])/;

export class SentenceForm {
  readonly #sources: ReplySources;
  readonly #secrets: readonly string[];
  readonly #scripts: { asked: Letters; owners: Letters };
  readonly #mayDisclose: boolean;
  /** Null when there are no notes. */
  readonly #isConfidential: ((sentence: string) => boolean) | null;

  /** @param secrets texts of the prompt that must not be shown */
  constructor(request: ReplyRequest, sources: ReplySources, secrets: readonly string[]) {
    this.#sources = sources;
    this.#secrets = secrets;
    this.#mayDisclose = asksWhoAnswers(request.message);
    this.#isConfidential = confidentialCheck(request, sources);
    const owners = [
      ...request.chunks.map(({ text }) => text),
      ...[...request.replyExamples, ...(request.exchanges ?? [])].map(({ reply }) => reply),
      request.twin.description,
    ];
    // A smile is in no language: what was written before it tells it.
    const asked = [
      ...request.history.filter(({ role }) => role === "user").map(({ content }) => content),
      request.message,
    ].filter((text) => /\p{L}/u.test(text));
    this.#scripts = {
      asked: lettersOf(asked.slice(-2).join(" ")),
      owners: withMeasured(lettersOf(owners.join(" ")), request.profile?.latin.letters ?? 0),
    };
  }

  faultOf(sentence: string): FormFault | null {
    if (this.#secrets.some((secret) => sentence.includes(secret)) || isCopiedFromPrompt(sentence)) return "shape";
    // A sample's mask is no word for a contact.
    if (CODE.test(sentence) || MASKS.some((mask) => sentence.includes(mask))) return "shape";
    if (isMachineTalk(sentence) && !this.#mayDisclose) return "machine";
    if (inForeignScript(sentence, this.#scripts, this.#sources.hasWord)) return "language";
    return this.#isConfidential?.(sentence) ? "note" : null;
  }
}

/** Who writes mostly Latin letters writes so, though his twin be described in Russian. @param share of Latin letters in his messages, 0..1 */
const withMeasured = (owners: Letters, share: number): Letters =>
  share >= 0.5 ? { ...owners, latin: Math.max(owners.latin, owners.cyrillic, 1) } : owners;
