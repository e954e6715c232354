/**
 * Reads what a model writes, sentence by sentence, and lets out only what may be said: the rest is cut while it can still be cut
 * (docs/decisions/053). Nothing of it has been shown before it is read.
 */
import { sentenceSpans } from "#server/knowledge/sentences.ts";
import { asksWhoAnswers } from "#server/language/disclosure.ts";
import { smallTalkOf } from "#server/language/small-talk.ts";
import type { ReplyRequest } from "../generators/generator.ts";
import { withoutMarkdown } from "./plain-text.ts";
import { type Quantity, quantitiesIn } from "./quantities.ts";
import { admitsUnknown, declines, isMachineTalk, isNoAnswer } from "./refusals.ts";
import { inForeignScript, type Letters, lettersOf } from "./script.ts";
import { type ReplySources, rootsOf } from "./sources.ts";
import { checkSentence } from "./unsupported.ts";

/** unsupported: a fact or a promise without a source; language: another one; machine: the model of itself; echo: the question said back; shape: no text for people; cut: its end is missing. */
export type FaultKind = "unsupported" | "language" | "machine" | "echo" | "shape" | "cut";

export interface Fault {
  kind: FaultKind;
  /** Of what is unsupported, each piece as it stood. */
  pieces: string[];
}

/** A messenger's long message; what is longer is a model that does not find its end. */
const LONGEST = 2000;
/** One that has written so much without the end of a sentence writes none. */
const LONGEST_SENTENCE = 1200;
const WHOLE = /[.!?…:;)»"”\p{Extended_Pictographic}]\s{0,3}$/u;
/** The talk goes on without its other side. */
const NEXT_TURN = /^\s{0,3}(?:user|human|пользователь|собеседник|клиент|покупатель|вопрос|сообщение собеседника)\s?:/iu;
const OWN_TURN = /^\s{0,3}(?:assistant|ответ|двойник|владелец)\s?:\s{0,3}/iu;
const VERDICT =
  /^\s{0,3}(?:да|нет|ага|угу|конечно|можно|нельзя|есть|yes|no)(?!\p{L})(?!,\s{0,2}(?:я|мне|у меня|мы)(?!\p{L}))/iu;
const CODE = /^\s{0,3}(?:\{\s{0,3}["'}]|\[\s{0,3}[{"])/;

export class AnswerReader {
  readonly faults: Fault[] = [];
  /** The model has said that it does not know, or will not answer. */
  noAnswer = false;
  /** See `Checked`. */
  computed = false;
  weak = false;
  defers = false;
  /** No more is let out, whatever comes. */
  full = false;
  /** All that was let out. */
  said = "";
  readonly #sources: ReplySources;
  readonly #message: string;
  readonly #secrets: readonly string[];
  readonly #scripts: { asked: Letters; owners: Letters };
  readonly #operands: Quantity[];
  readonly #seen = new Set<string>();
  readonly #mayDisclose: boolean;
  #held = "";
  /** What says nothing by itself («Здравствуйте!», «Да.») waits for what does. */
  #opening = "";
  #begun = false;

  /** @param secrets what must not be shown: of the prompt */
  constructor(request: ReplyRequest, sources: ReplySources, secrets: readonly string[]) {
    this.#sources = sources;
    this.#message = request.message;
    this.#secrets = secrets;
    this.#operands = quantitiesIn(request.message);
    this.#mayDisclose = asksWhoAnswers(request.message);
    const owners = [
      ...request.passages.map(({ text }) => text),
      ...request.exemplars.map(({ reply }) => reply),
      request.twin.description,
    ];
    const asked = [
      ...request.history.filter(({ role }) => role === "user").map(({ content }) => content),
      request.message,
    ];
    this.#scripts = { asked: lettersOf(asked.slice(-2).join(" ")), owners: lettersOf(owners.join(" ")) };
  }

  /** @returns what may be shown now */
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
    // The last may go on.
    return this.#read(spans.slice(0, -1).map(({ end }) => end));
  }

  /** @param cut whether the model was stopped before its end */
  end(cut: boolean): string {
    if (this.full) return "";
    const ends = sentenceSpans(this.#held).map(({ end }) => end);
    const lastFrom = ends.at(-2) ?? 0;
    const last = this.#held.slice(lastFrom);
    const torn = cut && last.trim() !== "" && !WHOLE.test(last);
    let said = this.#read(torn ? ends.slice(0, -1) : ends);
    if (torn) this.faults.push({ kind: "cut", pieces: [] });
    // Nothing was wrong: then a greeting or a «да» is the answer.
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

  /** The question said back, or the asker's part played on. A «да» before it makes it an answer. */
  #echoes(sentence: string): boolean {
    const roots = rootsOf(sentence);
    if (roots.length < 2 || VERDICT.test(sentence) || quantitiesIn(sentence).length > 0) return false;
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

  /** null: it may be said. silent: it is left out without being wrong. */
  #faultOf(sentence: string): Fault | "silent" | null {
    if (this.#secrets.some((secret) => sentence.includes(secret))) return { kind: "shape", pieces: [] };
    if (isNoAnswer(sentence)) {
      this.noAnswer = true;
      return "silent";
    }
    if (CODE.test(sentence)) return { kind: "shape", pieces: [] };
    if (isMachineTalk(sentence) && !this.#mayDisclose) {
      this.noAnswer = true;
      return { kind: "machine", pieces: [] };
    }
    if (declines(sentence)) {
      this.noAnswer = true;
      return "silent";
    }
    if (inForeignScript(sentence, this.#scripts, this.#sources.hasWord)) return { kind: "language", pieces: [] };
    const checked = checkSentence(sentence, this.#sources, { message: this.#message, operands: this.#operands });
    if (checked.unsupported.length > 0) return { kind: "unsupported", pieces: checked.unsupported };
    this.computed ||= checked.computed;
    this.weak ||= checked.weak;
    this.defers ||= checked.defers || admitsUnknown(sentence);
    this.#operands.push(...quantitiesIn(sentence));
    return null;
  }
}
