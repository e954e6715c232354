import { clsx } from "clsx";
import { Check, MessageCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { Button } from "#web/ui/button.tsx";
import { DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { agentProfiles } from "./agent-profiles.ts";
import type { Agent } from "./agents.ts";

interface AgentAboutProps {
  agent: Agent;
  createPath: string;
  /** Whether the demo was just left, so that its button takes the focus. */
  focusesDemo: boolean;
  onDemo: () => void;
}

export function AgentAbout({ agent, createPath, focusesDemo, onDemo }: AgentAboutProps) {
  const { efficiency, responseTime, accuracy, testimonial } = agentProfiles[agent.id];
  const demo = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focusesDemo) demo.current?.focus();
  }, [focusesDemo]);
  const metrics = [
    { name: "Эффективность", value: `${efficiency}%` },
    { name: "Время ответа", value: responseTime },
    { name: "Точность", value: `${accuracy}%` },
  ];
  return (
    <>
      <p>{agent.description}</p>
      <h3 className="mt-5 text-base">Показатели</h3>
      <dl className="mt-2 grid grid-cols-1 gap-px overflow-hidden rounded-lg border bg-border sm:grid-cols-3">
        {metrics.map(({ name, value }) => (
          <div
            key={name}
            className="flex min-w-0 items-baseline justify-between gap-2 bg-surface px-4 py-2 sm:flex-col-reverse sm:items-center sm:gap-0 sm:py-3"
          >
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="font-semibold text-xl tabular-nums tracking-head">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 text-base">Ключевые возможности</h3>
      <ul className="mt-2 flex flex-col gap-2">
        {agent.features.map((feature) => (
          <li key={feature} className="flex gap-2.5 text-md">
            <Check aria-hidden className={clsx("icon mt-0.5", agent.color)} />
            {feature}
          </li>
        ))}
      </ul>
      <h3 className="mt-5 text-base">Отзыв</h3>
      <figure className="mt-2 rounded-lg bg-sunken p-4">
        <blockquote className="text-md">«{testimonial.text}»</blockquote>
        <figcaption className="mt-2 text-muted text-sm">
          {testimonial.author}, {testimonial.company}
        </figcaption>
      </figure>
      <p className="mt-3 text-sm text-subtle">Пример: показатели и&nbsp;отзыв.</p>
      {/* On a phone the text is longer than the screen, so its two actions stay visible. */}
      <DialogFooter className="max-sm:-mx-5 max-sm:-mb-5 max-sm:sticky max-sm:-bottom-5 max-sm:border-t max-sm:bg-surface max-sm:px-5 max-sm:py-3">
        <Button ref={demo} onClick={onDemo}>
          <MessageCircle aria-hidden className="icon" />
          Посмотреть демо
        </Button>
        <Button asChild variant="primary">
          <Link href={createPath}>Создать агента</Link>
        </Button>
      </DialogFooter>
    </>
  );
}
