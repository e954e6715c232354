import { type ReactNode, useEffect, useRef } from "react";
import { Card, CardBody } from "#web/ui/layout/card.tsx";

interface StepCardProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  actions: ReactNode;
  note?: string | false | undefined;
}

/** One step of the wizard. It takes the focus when it is opened, so that keyboard users continue from its top. */
export function StepCard({ title, description, children, actions, note }: StepCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The clicked button is gone with its step.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Card aria-labelledby="onboarding-step">
      <CardBody className="flex flex-col gap-6">
        <div>
          <h2 id="onboarding-step" ref={heading} tabIndex={-1} className="text-lg focus:outline-none">
            {title}
          </h2>
          {description && <p className="mt-1 max-w-measure text-md text-muted">{description}</p>}
        </div>
        {children}
      </CardBody>
      <footer className="flex flex-wrap items-center gap-3 border-t px-4 py-4 md:px-5">
        {actions}
        {note && <p className="w-full max-w-measure text-sm text-subtle">{note}</p>}
      </footer>
    </Card>
  );
}
