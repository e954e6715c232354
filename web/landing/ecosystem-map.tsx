import { useState } from "react";
import { plural } from "#web/i18n/plural.ts";
import { type Agent, agents } from "./agents.ts";
import { AGENT_FORMS, CENTRE, CONNECTION_FORMS, linkAngle, RING_RADIUS, VIEW } from "./map-geometry.ts";
import { MapLink } from "./map-link.tsx";
import { MapNode } from "./map-node.tsx";

const [twin, ...around] = agents;

interface EcosystemMapProps {
  open: Agent | null;
  onNear: () => void;
  onOpen: (agent: Agent) => void;
}

/**
 * The twin and its six agents. Hovering or focusing an agent dims the other links, a click opens its dialog.
 * The twin in the centre dims nothing, because every link is its own.
 */
export function EcosystemMap({ open, onNear, onOpen }: EcosystemMapProps) {
  const [pointed, setPointed] = useState<Agent | null>(null);
  const active = pointed ?? open;

  const nodeProps = (agent: Agent) => ({
    agent,
    active: active === agent,
    onPoint: (is: boolean) => {
      setPointed(is ? agent : null);
      if (is) onNear();
    },
    onOpen: () => onOpen(agent),
  });

  return (
    <figure
      aria-label="Карта экосистемы агентов"
      className="mx-auto flex w-full max-w-[32rem] flex-col items-center gap-4"
    >
      <div className="@container relative aspect-square w-full">
        <svg aria-hidden viewBox={`0 0 ${VIEW} ${VIEW}`} fill="none" className="absolute inset-0 size-full">
          <circle cx={CENTRE} cy={CENTRE} r={RING_RADIUS} className="stroke-control" strokeDasharray="1.5 7" />
          {around.map((agent, index) => (
            <MapLink
              key={agent.id}
              angle={linkAngle(index)}
              active={active === agent}
              dimmed={active !== null && active !== twin && active !== agent}
            />
          ))}
          <MapLink angle={0} active={active === twin} dimmed={active !== null && active !== twin} />
        </svg>
        {/* The twin's link with its owner, the pair that makes fourteen. */}
        <span
          aria-hidden
          className="absolute top-1/2 left-[81%] flex -translate-y-1/2 items-center gap-2 font-semibold text-echo-text text-sm"
        >
          <span className="size-4.5 rounded-full border-2 border-echo" />
          Вы
        </span>
        {/* Tab order: the twin first, then the ring clockwise. */}
        <MapNode {...nodeProps(twin)} place="centre" />
        {around.map((agent, index) => (
          <MapNode key={agent.id} {...nodeProps(agent)} place={index} />
        ))}
      </div>
      <figcaption className="flex w-full flex-col items-center gap-3">
        <p className="flex gap-px overflow-hidden rounded-lg border bg-border font-semibold text-md">
          <span className="bg-surface px-4 py-2">{plural(agents.length, AGENT_FORMS)}</span>
          <span className="bg-surface px-4 py-2">{plural(agents.length * 2, CONNECTION_FORMS)}</span>
        </p>
        {/* The height fits the longest text, so that nothing below moves under the pointer. */}
        <div aria-live="polite" className="hidden min-h-48 w-full rounded-lg border bg-surface p-4 text-md md:block">
          {active === null ? <Legend /> : <About agent={active} />}
        </div>
      </figcaption>
    </figure>
  );
}

function Legend() {
  return (
    <div className="flex flex-col gap-3">
      <strong className="font-semibold">У&nbsp;каждого агента две связи</strong>
      <p className="flex gap-3 text-muted">
        <span aria-hidden className="mt-0.5 size-4.5 shrink-0 rounded-full border-2 border-echo" />
        <span>
          <strong className="font-semibold text-echo-text">Вы</strong> передаёте знания и&nbsp;манеру: документы,
          переписку, правки.
        </span>
      </p>
      <p className="flex gap-3 text-muted">
        <span aria-hidden className="mt-0.5 size-4.5 shrink-0 rounded-full bg-primary" />
        <span>
          <strong className="font-semibold text-primary-text">Двойник</strong> возвращает ответы вашими словами.
        </span>
      </p>
    </div>
  );
}

function About({ agent }: { agent: Agent }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">
        <strong className="font-semibold text-fg">{agent.position}.</strong> {agent.description}
      </p>
      <ul className="flex flex-col gap-1 text-muted">
        {agent.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </div>
  );
}
