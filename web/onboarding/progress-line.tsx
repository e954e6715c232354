import { Spinner } from "#web/ui/states/spinner.tsx";

interface ProgressLineProps {
  children: string;
}

/** The line above steps 2 to 4 that says what the product is doing or waiting for. */
export function ProgressLine({ children }: ProgressLineProps) {
  return (
    <p role="status" lang="en" className="flex items-center gap-2.5 text-md text-muted">
      <Spinner className="icon" />
      {children}
    </p>
  );
}
