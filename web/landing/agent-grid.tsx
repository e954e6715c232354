import { clsx } from "clsx";
import { ArrowRight, Check } from "lucide-react";
import { type Agent, agents } from "./agents.ts";
import { Section } from "./section.tsx";

interface AgentGridProps {
  onNear: () => void;
  onOpen: (agent: Agent) => void;
}

/** A card for each agent; the twin's is twice as wide, so that seven cards fill rows of four and of two. */
export function AgentGrid({ onNear, onOpen }: AgentGridProps) {
  return (
    <Section id="agents" title="Семь агентов для разных задач">
      <p className="mt-2 max-w-measure text-lg text-muted">
        Начните с&nbsp;двойника и&nbsp;добавляйте роли по&nbsp;мере надобности: знания у&nbsp;них общие.
      </p>
      <ul className="mt-6 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {agents.map((agent, index) => (
          <li key={agent.id} className={clsx("min-w-0", index === 0 && "sm:col-span-2")}>
            <AgentCard agent={agent} wide={index === 0} onNear={onNear} onOpen={() => onOpen(agent)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface AgentCardProps {
  agent: Agent;
  /** Whether the card is wide enough for the list of the agent's abilities. */
  wide: boolean;
  onNear: () => void;
  onOpen: () => void;
}

/** The whole card opens the agent; its name is the button. */
function AgentCard({ agent, wide, onNear, onOpen }: AgentCardProps) {
  const Icon = agent.icon;
  return (
    <article
      onPointerEnter={onNear}
      className={clsx(
        "group relative grid h-full grid-cols-1 gap-x-6 rounded-lg border bg-surface p-4 transition-colors hover:border-control md:p-5",
        wide && "sm:grid-cols-2",
      )}
    >
      <div className="flex flex-col">
        <div className="flex items-center gap-3">
          <Icon aria-hidden className={clsx("size-6 shrink-0", agent.color)} strokeWidth={1.5} />
          <h3 className="min-w-0 flex-1 text-lg">
            <button
              type="button"
              aria-haspopup="dialog"
              onFocus={onNear}
              onClick={onOpen}
              className="text-start after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-2"
            >
              {agent.name}
            </button>
          </h3>
          <ArrowRight aria-hidden className="icon shrink-0 text-subtle" />
        </div>
        <p className="mt-2 text-sm text-subtle max-sm:hidden">{agent.position}</p>
        <p className="mt-1 max-w-measure text-md text-muted">{agent.description}</p>
      </div>
      {wide && (
        <ul className="hidden flex-col justify-center gap-2.5 sm:flex">
          {agent.features.map((feature) => (
            <li key={feature} className="flex gap-2.5 text-md text-muted">
              <Check aria-hidden className={clsx("icon mt-0.5", agent.color)} />
              {feature}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
