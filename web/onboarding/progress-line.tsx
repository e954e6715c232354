import { Check } from "lucide-react";
import { Spinner } from "#web/ui/states/spinner.tsx";

interface ProgressLineProps {
  /** English, as the specification has it. */
  children: string;
  /** What was waited for is there. */
  done?: boolean;
}

/** The line over a step that says what is going on. */
export function ProgressLine({ children, done = false }: ProgressLineProps) {
  return (
    <p role="status" lang="en" className="flex items-center gap-2.5 text-md text-muted">
      {done ? <Check aria-hidden className="icon text-success-text" /> : <Spinner className="icon" />}
      {children}
    </p>
  );
}
