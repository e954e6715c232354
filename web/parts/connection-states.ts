import type { Connection } from "#contract/integrations/integrations.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

export interface StateLabel {
  name: string;
  tone: BadgeTone;
}

/** A fault has one tone; the label says whether the server retries automatically or waits for the owner. */
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

/** The state of an integration; an answer that says nothing of the connection has its status alone. */
function connectionOf({ status, connection, statusReason }: ShownConnection): Connection {
  if (connection !== undefined) return connection;
  if (statusReason) return "action";
  if (status === "active") return "connected";
  return status === "error" ? "action" : "paused";
}

/** The word for the state of an integration, the same one on every screen. */
export const connectionState = (shown: ShownConnection): StateLabel => WORDS[connectionOf(shown)];

/** No contact is answered there until it is fixed. */
export function isDisconnected(shown: ShownConnection): boolean {
  const connection = connectionOf(shown);
  return connection === "trouble" || connection === "action";
}

/** Of a chat on the owner's sites: without a site no page may embed it. */
export const siteChatConnection = (sites: readonly string[]): Connection => (sites.length > 0 ? "connected" : "paused");
