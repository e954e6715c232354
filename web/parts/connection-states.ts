import type { Connection } from "#contract/integrations/integrations.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

interface StateLabel {
  name: string;
  tone: BadgeTone;
}

/** A fault has one colour; the label says whether the server retries automatically or waits for the owner. */
const WORDS: Record<Connection, StateLabel> = {
  connected: { name: "Активна", tone: "success" },
  connecting: { name: "Подключается", tone: "info" },
  trouble: { name: "Нет связи", tone: "danger" },
  action: { name: "Нужны вы", tone: "danger" },
  paused: { name: "Неактивна", tone: "neutral" },
};

export interface ShownConnection {
  status?: string;
  connection?: Connection | undefined;
  statusReason?: string | null | undefined;
}

/** The connection of an integration; a response without one is judged by its status. */
function connectionOf({ status, connection, statusReason }: ShownConnection): Connection {
  if (connection !== undefined) return connection;
  if (statusReason) return "action";
  if (status === "active") return "connected";
  return status === "error" ? "action" : "paused";
}

/** The label for the state of an integration, the same on every screen. */
export const connectionState = (shown: ShownConnection): StateLabel => WORDS[connectionOf(shown)];

/** Whether contacts get no answers until the connection is fixed. */
export function isDisconnected(shown: ShownConnection): boolean {
  const connection = connectionOf(shown);
  return connection === "trouble" || connection === "action";
}

/** State of a chat widget: without a website no page may embed it. */
export const siteChatConnection = (sites: readonly string[]): Connection => (sites.length > 0 ? "connected" : "paused");
