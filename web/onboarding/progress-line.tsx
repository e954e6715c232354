import { Spinner } from "#web/ui/states/spinner.tsx";

interface ProgressLineProps {
  /** English, as the specification has it. */
  children: string;
}

/** The line over steps 2 to 4: what the product is doing, or what it waits for. */
export function ProgressLine({ children }: ProgressLineProps) {
  return (
    <p role="status" lang="en" className="flex items-center gap-2.5 text-md text-muted">
      <Spinner className="icon" />
      {children}
    </p>
  );
}
