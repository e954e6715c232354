import { Badge } from "#web/ui/badge.tsx";
import { connectionState, type ShownConnection } from "./connection-states.ts";

/** The state of a channel in words, with the same badge on every screen. */
export function ConnectionBadge(shown: ShownConnection) {
  const { name, tone } = connectionState(shown);
  return <Badge tone={tone}>{name}</Badge>;
}
