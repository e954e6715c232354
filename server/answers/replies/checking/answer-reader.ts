/**
 * Checks a model's answer sentence by sentence and releases only what may be shown (docs/decisions/026-answer-verification.md). A
 * sentence is shown only after its check, so a faulty one can still be removed.
 */

import { sentenceSpans } from "#server/knowledge/language/sentences.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { type Quantity, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { isAnsweredSocially } from "../owner-words/friend-policy.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { isFriendlySentence, talkFacts } from "./friendly-sentence.ts";
import { withoutMarkdown } from "./plain-text.ts";
import { admitsUnknown, declines, isNoAnswer } from "./refusals.ts";
import { rootsOf } from "./roots.ts";
import { SentenceForm } from "./sentence-form.ts";
import type { ReplySources } from "./sources.ts";
import { checkSentence } from "./unsupported.ts";
import { isVerdict } from "./verdict.ts";

/**
 * unsupported: a fact or a promise without a source; language: neither the question's nor the owner's; machine: the model mentions that
 * it is one; echo: the question is repeated; shape: not text for people; cut: the sentence is incomplete.
 */
type FaultKind = "unsupported" | "language" | "machine" | "echo" | "shape" | "cut";

export interface Fault {
  kind: FaultKind;
  /** The unsupported pieces, verbatim; empty for other kinds. */
  pieces: string[];
}

/** Maximum length in characters. A longer answer means that the model does not find an end. */
const LONGEST = 2000;
/** Characters without the end of a sentence, after which none is expected. */
const LONGEST_SENTENCE = 1200;
const WHOLE = /[.!?…:;)»"”\p{Extended_Pictographic}]\s{0,3}$/u;
/** The model continues with the other side's turn. */
const NEXT_TURN = /^\s{0,3}(?:user|human|пользователь|собеседник|клиент|покупатель|вопрос|сообщение собеседника)\s?:/iu;
const OWN_TURN = /^\s{0,3}(?:assistant|ответ|двойник|владелец)\s?:\s{0,3}/iu;

export class AnswerReader {
  readonly faults: Fault[] = [];
  noAnswer = false;
  computed = false;
  weak = false;
  defers = false;
  full = false;
  said = "";
  readonly #sources: ReplySources;
  readonly #message: string;
  readonly #form: SentenceForm;
  readonly #operands: Quantity[];
  readonly #seen = new Set<string>();
  /** Whether a sentence may be sent in a social reply to a friend; null for other contacts. */
  readonly #isFriendly: ((sentence: string) => boolean) | null;
  #held = "";
  /** A sentence without content («Здравствуйте!», «Да.») waits here for the next one. */
  #opening = "";
  #begun = false;

  /** @param secrets texts of the prompt that must not be shown */
  constructor(request: ReplyRequest, sources: ReplySources, secrets: readonly string[]) {
    this.#sources = sources;
    this.#message = request.message;
    this.#form = new SentenceForm(request, sources, secrets);
    this.#operands = quantitiesIn(request.message);
    this.#isFriendly = null;
    if (isAnsweredSocially(request)) {
      const [{ friend }, facts] = [request, talkFacts(request)];
      this.#isFriendly = (sentence) => isFriendlySentence(sentence, friend, facts);
    }
  }

  /** @returns the text that may be shown now */
  push(delta: string): string {
    if (this.full) return "";
    this.#held += delta;
    if (
      !/[.!?…\n]/.test(delta) &&
      this.#held.length < LONGEST_SENTENCE &&
      !/[.!?…\n]\s/.test(this.#held.slice(-delta.length - 2))
    )
      return "";
    const spans = sentenceSpans(this.#held);
    // The last sentence may continue in the next delta.
    return this.#read(spans.slice(0, -1).map(({ end }) => end));
  }

  /** @param cut whether the model was stopped before its end. @returns the rest that may be shown */
  end(cut: boolean): string {
    if (this.full) return "";
    const ends = sentenceSpans(this.#held).map(({ end }) => end);
    const lastFrom = ends.at(-2) ?? 0;
    const last = this.#held.slice(lastFrom);
    const torn = cut && last.trim() !== "" && !WHOLE.test(last);
    let said = this.#read(torn ? ends.slice(0, -1) : ends);
    if (torn) this.faults.push({ kind: "cut", pieces: [] });
    // Without any fault, the greeting or the «да» is the whole answer.
    if (this.#opening !== "" && this.faults.every(({ kind }) => kind === "cut") && !this.noAnswer)
      said += this.#release("");
    return said;
  }

  #read(ends: readonly number[]): string {
    let said = "";
    let from = 0;
    for (const end of ends) {
      if (this.full) break;
      said += this.#take(this.#held.slice(from, end));
      from = end;
    }
    this.#held = this.#held.slice(from);
    if (this.#held.length > LONGEST_SENTENCE) {
      this.faults.push({ kind: "shape", pieces: [] });
      this.full = true;
    }
    return said;
  }

  /** @param piece a sentence with the white space before it */
  #take(piece: string): string {
    if (NEXT_TURN.test(piece) && (this.#begun || this.#opening !== "")) {
      this.full = true;
      return "";
    }
    const plain = withoutMarkdown(this.#begun || this.#opening !== "" ? piece : piece.replace(OWN_TURN, ""));
    const sentence = plain.trim();
    if (!/[\p{L}\p{N}\p{Extended_Pictographic})(]/u.test(sentence)) return "";
    const fault = this.#faultOf(sentence);
    if (fault !== null) {
      if (fault !== "silent") this.faults.push(fault);
      return "";
    }
    const key = sentence.toLowerCase();
    if (sentence.length > 20 && this.#seen.has(key)) return "";
    this.#seen.add(key);
    if (this.said.length + plain.length > LONGEST && this.#begun) {
      this.full = true;
      return "";
    }
    if (!this.#begun && this.#echoes(sentence)) {
      this.faults.push({ kind: "echo", pieces: [] });
      return "";
    }
    if (!this.#begun && (rootsOf(sentence).length === 0 || smallTalkOf(sentence) !== null)) {
      this.#opening += plain;
      return "";
    }
    return this.#release(plain);
  }

  /** Whether the sentence repeats the question or continues as the asker. After «да» the same words are an answer. */
  #echoes(sentence: string): boolean {
    const roots = rootsOf(sentence);
    if (roots.length < 2 || isVerdict(sentence) || quantitiesIn(sentence).length > 0) return false;
    const asked = new Set(rootsOf(this.#message));
    return roots.every((root) => asked.has(root)) && smallTalkOf(this.#message) === null;
  }

  #release(plain: string): string {
    const text = this.#begun ? plain : `${this.#opening}${plain}`.trimStart();
    this.#opening = "";
    this.#begun = true;
    this.said += text;
    return text;
  }

  /** Null: the sentence may be shown. "silent": it is dropped without counting as a fault. */
  #faultOf(sentence: string): Fault | "silent" | null {
    const form = this.#form.faultOf(sentence);
    if (form === "shape") return { kind: form, pieces: [] };
    if (isNoAnswer(sentence)) {
      this.noAnswer = true;
      return "silent";
    }
    if (form === "machine") {
      this.noAnswer = true;
      return { kind: form, pieces: [] };
    }
    if (declines(sentence)) {
      this.noAnswer = true;
      return "silent";
    }
    if (form === "language") return { kind: form, pieces: [] };
    if (form === "note") return { kind: "unsupported", pieces: [sentence] };
    if (this.#isFriendly?.(sentence) === false) return { kind: "unsupported", pieces: [sentence] };
    const checked = checkSentence(sentence, this.#sources, { message: this.#message, operands: this.#operands });
    if (checked.unsupported.length > 0) return { kind: "unsupported", pieces: checked.unsupported };
    this.computed ||= checked.computed;
    this.weak ||= checked.weak;
    this.defers ||= checked.defers || admitsUnknown(sentence);
    this.#operands.push(...quantitiesIn(sentence));
    return null;
  }
}
