import { clsx } from "clsx";
import type { Agent } from "./agents.ts";

interface MapNodeProps {
  agent: Agent;
  /** Index on the ring, clockwise from the top, or the centre of the map. */
  place: number | "centre";
  active: boolean;
  onPoint: (is: boolean) => void;
  onOpen: () => void;
}

/** 280 ± 196·cos and sin of −90° + 60°·i, as shares of 560. Labels are outside the ring, where no line passes. */
const places = [
  { at: "left-1/2 top-[15%]", label: "bottom-full mb-2" },
  { at: "left-[80.31%] top-[32.5%]", label: "bottom-full mb-2" },
  { at: "left-[80.31%] top-[67.5%]", label: "top-full mt-2" },
  { at: "left-1/2 top-[85%]", label: "top-full mt-2" },
  { at: "left-[19.69%] top-[67.5%]", label: "top-full mt-2" },
  { at: "left-[19.69%] top-[32.5%]", label: "bottom-full mb-2" },
] as const;

export function MapNode({ agent, place, active, onPoint, onOpen }: MapNodeProps) {
  const events = {
    type: "button",
    "aria-haspopup": "dialog",
    onPointerEnter: () => onPoint(true),
    onPointerLeave: () => onPoint(false),
    onFocus: () => onPoint(true),
    onBlur: () => onPoint(false),
    onClick: onOpen,
  } as const;

  if (place === "centre") {
    return (
      <button
        {...events}
        className="absolute top-1/2 left-1/2 grid size-[25cqw] -translate-1/2 place-items-center rounded-full transition-[scale] duration-(--dur-1) before:absolute before:inset-0 before:-translate-x-[7%] before:rounded-full before:border-2 before:border-echo active:scale-96"
      >
        <span
          className={clsx(
            "relative flex size-full flex-col items-center justify-center rounded-full p-2 text-center font-semibold text-md text-on-primary transition-colors duration-(--dur-2)",
            active ? "bg-primary-hover" : "bg-primary",
          )}
        >
          Двойник
          <span lang="en" className="font-medium text-sm">
            Digital Twin
          </span>
        </span>
      </button>
    );
  }
  const { at, label } = places[place] ?? places[0];
  const Icon = agent.icon;
  return (
    <button
      {...events}
      className={clsx(
        "group absolute size-[max(2.75rem,10.7cqw)] -translate-1/2 rounded-full transition-[scale] duration-(--dur-1) active:scale-96",
        at,
        agent.color,
        "before:absolute before:inset-0 before:translate-x-(--echo-offset) before:rounded-full before:border before:border-current",
      )}
    >
      <span
        className={clsx(
          "relative grid size-full place-items-center rounded-full border border-control bg-surface transition-colors duration-(--dur-2)",
          active && "border-current!",
        )}
      >
        <Icon aria-hidden className="icon" />
      </span>
      <span
        className={clsx(
          "absolute left-1/2 w-max max-w-22 -translate-x-1/2 text-balance font-medium text-fg text-sm leading-tight sm:max-w-28",
          place % 3 === 0 && "max-w-none!",
          label,
        )}
      >
        {agent.name}
      </span>
    </button>
  );
}
