import { useEffect, useState } from "react";
import type { ShowcaseAnswer } from "#contract/showcase.ts";
import { askShowcase } from "./ask-showcase.ts";

const WORD_MS = 35;

interface ShownAnswer {
  text: string;
  /** The answer once all of it is visible, otherwise null. */
  done: ShowcaseAnswer | null;
  error: unknown;
}

const NOTHING: ShownAnswer = { text: "", done: null, error: null };

/** Asks once, and again after `retry`. Words appear one after another, or at once when the system requests reduced motion. */
export function useAnswer(question: string): ShownAnswer & { retry: () => void } {
  const [tries, setTries] = useState(0);
  const [shown, setShown] = useState(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks the same question again
  useEffect(() => {
    const leaving = new AbortController();
    let words: string[] = [];
    let answer: ShowcaseAnswer | null = null;
    let count = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    setShown(NOTHING);

    function paint() {
      timer = undefined;
      count = still ? words.length : Math.min(count + 1, words.length);
      const all = count === words.length;
      setShown({ text: words.slice(0, count).join(""), done: all ? answer : null, error: null });
      if (!all) timer = setTimeout(paint, WORD_MS);
    }
    function hear(text: string) {
      words = text.match(/\S+\s*/g) ?? [];
      timer ??= setTimeout(paint, 0);
    }
    askShowcase(question, leaving.signal, hear).then(
      (told) => {
        answer = told;
        hear(told.answer);
      },
      (error) => {
        if (leaving.signal.aborted) return;
        clearTimeout(timer);
        setShown({ text: "", done: null, error });
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [question, tries]);
  return { ...shown, retry: () => setTries(tries + 1) };
}
