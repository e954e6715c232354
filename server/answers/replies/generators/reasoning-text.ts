/**
 * Removes a model's reasoning, tool calls and markers that its server leaves in the text: tags of many models, OpenAI's harmony format
 * (cookbook.openai.com/articles/openai-harmony), ends of turns.
 */

const NAMES =
  "think|thinking|thought|thoughts|reasoning|reason|reflection|analysis|scratchpad|seed:think|tool_call|tool_calls|function_call|tool_response";
const OPENS = new RegExp(String.raw`<(${NAMES})>|\[(THINK)\]|◁(think)▷|<\|(begin_of_thought)\|>`, "i");
const CLOSES = new RegExp(String.raw`</(?:${NAMES})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>`, "i");
const MARKS = /<\|[a-z_]{2,24}\|>|<\/s>|<eos>|<(?:end|start)_of_turn>|\[\/?INST\]/i;
const ANY = new RegExp(`${OPENS.source}|${CLOSES.source}|${MARKS.source}`, "i");
const LONGEST_MARK = 30;
/** Harmony with its markers removed but its channel names left in the text. */
const BARE_HARMONY = /^analysis(?=[\p{Lu}\s])/u;
const BARE_FINAL = "assistantfinal";

export interface ReasoningHabits {
  /** Whether its reasoning starts without a tag, so that everything before `</think>` is reasoning. Null before the first answer. */
  unmarked: boolean | null;
}

/**
 * Yields only the answer. Until a model's first answer is complete, it is unknown whether it starts with untagged reasoning. Therefore
 * the first answer, and all answers of such a model, are yielded in one piece.
 */
export async function* stripReasoning(
  deltas: AsyncIterable<string>,
  habits: ReasoningHabits = { unmarked: null },
): AsyncGenerator<string> {
  const filter = new ReasoningFilter();
  const whole = habits.unmarked !== false;
  let kept = "";
  const take = (text: string): string => {
    if (filter.takesBack) {
      filter.takesBack = false;
      habits.unmarked = true;
      // The text of a stream was sent already, and a model without untagged reasoning does not start it now.
      kept = "";
    }
    if (!whole) return text;
    kept += text;
    return "";
  };
  for await (const delta of deltas) {
    const text = take(filter.push(delta));
    if (text !== "") yield text;
  }
  const rest = take(filter.end());
  if (rest !== "") yield rest;
  habits.unmarked ??= false;
  const bare = BARE_HARMONY.test(kept) ? kept.indexOf(BARE_FINAL) : -1;
  if (bare >= 0) habits.unmarked = true;
  const said = bare >= 0 ? kept.slice(bare + BARE_FINAL.length) : kept;
  if (said !== "") yield said;
}

/** thought: until its closing tag; header: of harmony, until its message; hidden: a channel not for people; over: the turn has ended. */
type State = "speaking" | "thought" | "header" | "hidden" | "over";

class ReasoningFilter {
  /** Set when all output so far was reasoning; the reader of the flag resets it. */
  takesBack = false;
  #state: State = "speaking";
  #held = "";
  #header = "";
  #spoke = false;

  push(text: string): string {
    this.#held += text;
    return this.#read(false);
  }

  end(): string {
    return this.#read(true);
  }

  #read(final: boolean): string {
    let said = "";
    for (;;) {
      const found = (this.#state === "thought" ? CLOSES : ANY).exec(this.#held);
      const before = this.#held.slice(0, found?.index ?? settled(this.#held, final));
      if (this.#state === "speaking") said += before;
      if (this.#state === "header") this.#header += before;
      this.#spoke ||= this.#state === "speaking" && before.trim() !== "";
      this.#held = this.#held.slice(before.length);
      if (found === null) return said;
      this.#held = this.#held.slice(found[0].length);
      if (this.#meet(found[0].toLowerCase())) said = "";
    }
  }

  /** @returns whether the output so far must be withdrawn */
  #meet(mark: string): boolean {
    if (this.#state === "over") return false;
    if (CLOSES.test(mark)) {
      const lone = this.#state === "speaking";
      this.#state = "speaking";
      if (lone) {
        this.takesBack = true;
        this.#spoke = false;
      }
      return lone;
    }
    if (OPENS.test(mark)) this.#state = "thought";
    else if (mark === "<|channel|>" || mark === "<|start|>" || mark === "<|start_header_id|>") {
      this.#header = "";
      this.#state = "header";
    } else if (mark === "<|message|>")
      this.#state = /final|^\s*assistant\s*$/i.test(this.#header) ? "speaking" : "hidden";
    else if (mark === "<|end_header_id|>") this.#state = "speaking";
    else if (mark === "<|end|>" || mark === "<|call|>") this.#state = "hidden";
    // A turn that ends before any output does not count.
    else if (this.#spoke) this.#state = "over";
    else this.#state = "speaking";
    return false;
  }
}

/** Returns the number of leading characters that cannot be the beginning of a marker. */
function settled(held: string, final: boolean): number {
  if (final) return held.length;
  const tail = held.slice(-LONGEST_MARK);
  const at = Math.max(tail.lastIndexOf("<"), tail.lastIndexOf("["), tail.lastIndexOf("◁"));
  return at < 0 ? held.length : held.length - tail.length + at;
}
