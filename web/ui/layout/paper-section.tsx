import type { ComponentProps, ReactNode } from "react";

interface PaperSectionProps extends Omit<ComponentProps<"section">, "id" | "title"> {
  /** Of the heading, which names the section. */
  id: string;
  title: ReactNode;
  description?: ReactNode;
}

/** A group of a page that is no thing of its own: it lies on the paper, and what is a card beside it is seen as one. */
export function PaperSection({ id, title, description, children, ...props }: PaperSectionProps) {
  return (
    <section aria-labelledby={id} {...props}>
      <h2 id={id} className="scroll-mt-24 text-lg">
        {title}
      </h2>
      {description && <p className="text-md text-muted">{description}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
