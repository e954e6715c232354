import { type ReactNode, useId } from "react";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";

interface StepCardProps {
  /** Number of the step, from 1. */
  number: number;
  title: string;
  description?: string;
  children: ReactNode;
}

/** One of the steps that are done one after the other. */
export function StepCard({ number, title, description, children }: StepCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={`${number}. ${title}`} description={description} />
      <CardBody className="flex flex-col gap-4 text-md">{children}</CardBody>
    </Card>
  );
}
