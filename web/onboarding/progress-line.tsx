import { Spinner } from "#web/ui/states/spinner.tsx";

interface ProgressLineProps {
  /** English, as the specification has it. */
  children: string;
}

/** The line over a step while the product works. When it is the person's turn, none stands there. */
export function ProgressLine({ children }: ProgressLineProps) {
  return (
    <p role="status" lang="en" className="flex items-center gap-2.5 text-md text-muted">
      <Spinner className="icon" />
      {children}
    </p>
  );
}
