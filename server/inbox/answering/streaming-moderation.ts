/** Decides which part of an answer may be shown while it is still being generated. */
import { escalationTopic } from "./escalation-policy.ts";

interface StreamingModeration {
  /** Returns the text that may be shown now; "" if there is none yet. */
  push(delta: string): string;
  end(): string;
  /** The reason why the owner must answer instead; null until one is found. */
  readonly risk: string | null;
}

/** Releases whole sentences, each judged together with all before it, so that a topic reserved for the owner is not half shown. */
export function streamingModeration(): StreamingModeration {
  let text = "";
  let shown = 0;
  let risk: string | null = null;
  const upTo = (end: number): string => {
    if (end <= shown) return "";
    risk ??= escalationTopic(text);
    if (risk !== null) return "";
    const part = text.slice(shown, end);
    shown = end;
    return part;
  };
  return {
    push(delta) {
      text += delta;
      const ends = [...text.slice(shown).matchAll(/[.!?…][»")\]]*\s+|\n\n+/g)];
      const last = ends.at(-1);
      return last === undefined ? "" : upTo(shown + last.index + last[0].length);
    },
    end: () => upTo(text.length),
    get risk() {
      return risk;
    },
  };
}
