/** Before somebody is shown an answer that is still being written. */
import { riskyTopic } from "./risky-topics.ts";

export interface ReadAhead {
  /** What may be shown now, "" for nothing yet. */
  push(delta: string): string;
  /** The rest, once there is no more. */
  end(): string;
  /** Why the owner has to answer instead, once that is known. */
  readonly risk: string | null;
}

/** Lets out whole sentences, each read with all before it: what is the owner's to say is not half said. */
export function readAhead(): ReadAhead {
  let text = "";
  let shown = 0;
  let risk: string | null = null;
  const upTo = (end: number): string => {
    if (end <= shown) return "";
    risk ??= riskyTopic(text);
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
