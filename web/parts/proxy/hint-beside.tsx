import type { ReactNode } from "react";

const EXAMPLE = /(socks5:\/\/\S+)/;

/** The hint of a field for a proxy, whose example stays on one line. Nothing where the error shows an example itself. */
export function hintBeside(hint: string, error: string | undefined): ReactNode {
  if (error !== undefined && EXAMPLE.test(error)) return undefined;
  return hint.split(EXAMPLE).map((part) =>
    EXAMPLE.test(part) ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
