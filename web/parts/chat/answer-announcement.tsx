import { useState } from "react";

/** Announces each complete answer once to screen readers, except answers that were there when the panel opened. */
export function Announcement({ answers, text }: { answers: number; text: string }) {
  const [before] = useState(answers);
  return (
    <p aria-live="polite" className="sr-only">
      {answers > before && <span key={answers}>{text}</span>}
    </p>
  );
}
