import type { ReactNode } from "react";

export function Section({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2.5 border-t pt-5">
      <div>
        <h3 className="text-base">{title}</h3>
        {about && <p className="text-muted text-sm">{about}</p>}
      </div>
      {children}
    </section>
  );
}
