import { useState } from "react";
import { plural } from "#web/i18n/plural.ts";
import { type Agent, agents } from "./agents.ts";
import { AGENT_FORMS, CENTRE, CONNECTION_FORMS, linkAngle, RING_RADIUS, VIEW } from "./map-geometry.ts";
import { MapLink } from "./map-link.tsx";
import { MapNode } from "./map-node.tsx";

const [twin, ...around] = agents;

interface EcosystemMapProps {
  /** The agent whose dialog is open: its link stays lit behind it. */
  open: Agent | null;
  onNear: () => void;
  onOpen: (agent: Agent) => void;
}

/**
 * The twin and its six agents. Pointing at an agent or focusing it dims the other links, a click opens its dialog.
 * The centre dims nothing: every link is its own.
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
      className="flex w-full flex-col-reverse items-center lg:flex-row-reverse lg:gap-10 xl:gap-20"
    >
      <div className="@container relative aspect-square w-full max-w-[32rem]">
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
        </svg>
        {/* The twin is the first stop of the keyboard, the ring follows clockwise. */}
        <MapNode {...nodeProps(twin)} place="centre" />
        {around.map((agent, index) => (
          <MapNode key={agent.id} {...nodeProps(agent)} place={index} />
        ))}
      </div>
      <figcaption className="flex min-w-0 flex-1 flex-col items-center gap-3 lg:items-start">
        <h2 className="text-2xl max-lg:text-center">Один двойник, шесть помощников</h2>
        <p className="text-md text-muted lg:text-lg">
          {plural(agents.length, AGENT_FORMS)} · {plural(agents.length * 2, CONNECTION_FORMS)}
        </p>
        <div className="hidden min-h-24 w-full max-w-[35rem] place-items-center rounded-lg border bg-surface px-4 py-2 md:grid lg:place-items-start lg:py-4">
          <p aria-live="polite" className="text-balance text-center lg:text-start text-md text-muted">
            {active === null ? (
              <>
                У&nbsp;каждого агента две связи: <span className="text-echo-text">медная</span> несёт ваши знания,{" "}
                <span className="text-primary-text">патиновая</span> возвращает ответы.
              </>
            ) : (
              <>
                <strong className="font-semibold text-fg">{active.position}.</strong> {active.description}
              </>
            )}
          </p>
        </div>
      </figcaption>
    </figure>
  );
}
