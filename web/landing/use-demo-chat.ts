import { useEffect, useRef, useState } from "react";
import { answerOf, type DemoAnswer } from "./demo-answer.ts";
import type { DemoScript } from "./demo-scripts.ts";

export interface DemoTurn {
  id: number;
  author: "visitor" | "agent";
  text: string;
  known: boolean;
}

const THINKING_MS = 600;
const WORD_MS = 45;

/**
 * A chat with a script: each answer appears word by word after a pause, or at once when the system requests reduced motion.
 * `coming` is the partial answer, null while none is appearing.
 */
export function useDemoChat(script: DemoScript) {
  const [turns, setTurns] = useState<readonly DemoTurn[]>([
    { id: 0, author: "agent", text: script.greeting, known: true },
  ]);
  const [coming, setComing] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const add = (turn: Omit<DemoTurn, "id">) => setTurns((before) => [...before, { ...turn, id: before.length }]);

  function reveal(answer: DemoAnswer, words: readonly string[], shown: number) {
    if (shown >= words.length) {
      setComing(null);
      add({ author: "agent", text: answer.text, known: answer.known });
      return;
    }
    setComing(words.slice(0, shown).join(""));
    timer.current = setTimeout(() => reveal(answer, words, shown + 1), shown === 0 ? THINKING_MS : WORD_MS);
  }

  function send(message: string) {
    const text = message.trim();
    if (text === "" || coming !== null) return;
    add({ author: "visitor", text, known: true });
    const answer = answerOf(script, text);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    reveal(answer, still ? [answer.text] : (answer.text.match(/\S+\s*/g) ?? []), 0);
  }

  return { turns, coming, send };
}
