import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ReactNode, useRef } from "react";
import type { EarlierMessage } from "#contract/earlier-message.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";
import { useSeen } from "../past-replies/queries.ts";

interface EarlierProps {
  /** Reads the messages, the oldest first. */
  query: Pick<UseQueryOptions<EarlierMessage[]>, "queryKey" | "queryFn">;
  contactName: string;
  /** Whether the last of them is what led to this, and not only what came before it. */
  lastLeads?: boolean;
  children: ReactNode;
}

/** Shows what is to be decided with the messages before it, so that it is understood on its own; if these cannot be loaded, it alone. */
export function EarlierMessages({ query, contactName, lastLeads = false, children }: EarlierProps) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const { data = [] } = useQuery({ ...query, enabled: seen });
  const names: Record<EarlierMessage["by"], string> = { contact: contactName, twin: "Двойник", owner: "Вы" };
  return (
    <div ref={box} className="flex flex-col gap-3">
      {data.length > 0 && (
        <ol aria-label="Что было раньше" className="flex flex-col gap-1 border-s-2 ps-3 text-muted text-sm">
          {data.map(({ by, text }, place) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: what was said before never changes
              key={place}
              className={clsx(
                "[overflow-wrap:anywhere]",
                lastLeads && place === data.length - 1 ? "text-fg text-md" : "line-clamp-2",
              )}
            >
              <b className="font-medium">{names[by]}:</b> {wholeNumbers(text)}
            </li>
          ))}
        </ol>
      )}
      {children}
    </div>
  );
}
