import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Header, type HeaderProps } from "./header.tsx";

interface PageProps extends HeaderProps {
  /** The widest a screen's content gets; forms are narrower than tables. */
  width?: "content" | "wide";
  className?: string;
  children: ReactNode;
}

/** A screen inside the shell: its header bar with the h1, and its content. */
export function Page({ width = "content", className, children, ...header }: PageProps) {
  return (
    <>
      <Header {...header} />
      <main
        id="content"
        tabIndex={-1}
        lang="ru"
        className={clsx(
          "mx-auto w-full px-page pt-6 pb-10 focus:outline-none md:pt-8",
          width === "content" ? "max-w-[calc(var(--content)+2*var(--page-x))]" : "max-w-none",
          className,
        )}
      >
        {children}
      </main>
    </>
  );
}
