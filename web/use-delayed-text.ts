import { useEffect, useRef, useState } from "react";

const TYPING_PAUSE_MS = 300;

/** Passes on typed text after a pause. A change of `value` from elsewhere (the address, a reset) replaces the text. */
export function useDelayedText(value: string, onPause: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const handed = useRef(value);
  const onPauseNow = useRef(onPause);
  onPauseNow.current = onPause;

  useEffect(() => {
    if (value === handed.current) return;
    handed.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    if (text === handed.current) return;
    const timer = setTimeout(() => {
      handed.current = text;
      onPauseNow.current(text);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return [text, setText];
}
