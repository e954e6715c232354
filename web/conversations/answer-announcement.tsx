import { useState } from "react";

/** Said once per whole answer; the answers that were there when the panel opened are not news. */
export function Announcement({ answers, text }: { answers: number; text: string }) {
  const [before] = useState(answers);
  return (
    <p aria-live="polite" className="sr-only">
      {answers > before && <span key={answers}>{text}</span>}
    </p>
  );
}
