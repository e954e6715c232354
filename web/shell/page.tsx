import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Examples, ExamplesLine } from "#web/ui/figures/examples.tsx";
import { contentWidth, Header, type HeaderProps } from "./header/header.tsx";
import { OmittedRowsNote } from "./omitted-rows-note.tsx";

interface PageProps extends HeaderProps {
  className?: string;
  /** Whether the screen places the line about its fixed figures itself, because it fills the window. */
  ownExamplesLine?: boolean;
  children: ReactNode;
}

/** A screen inside the shell: its header bar with the h1, and its content. */
export function Page({ className, ownExamplesLine = false, children, ...header }: PageProps) {
  return (
    <Examples>
      <Header {...header} />
      <main
        id="content"
        tabIndex={-1}
        lang="ru"
        className={clsx(
          "mx-auto w-full px-page pt-6 pb-10 focus:outline-none md:pt-8",
          contentWidth[header.width ?? "content"],
          className,
        )}
      >
        {header.description && !header.covered && (
          <p className="mb-4 text-md text-muted sm:hidden">{header.description}</p>
        )}
        <OmittedRowsNote />
        {children}
        {!ownExamplesLine && <ExamplesLine className="mt-8 border-t pt-4" />}
      </main>
    </Examples>
  );
}
