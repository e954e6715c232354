import type { Connection } from "#contract/integrations/integrations.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

interface StateWord {
  name: string;
  tone: BadgeTone;
}

const WORDS: Record<Connection, StateWord> = {
  connected: { name: "Активна", tone: "success" },
  connecting: { name: "Подключается", tone: "info" },
  trouble: { name: "Нет связи", tone: "warning" },
  action: { name: "Нужны вы", tone: "danger" },
  paused: { name: "Неактивна", tone: "neutral" },
};

interface Shown {
  status?: string;
  connection?: Connection | undefined;
  statusReason?: string | null | undefined;
}

/** The word for the state of an integration, the same one on every screen but in the badge of lists. An answer that says nothing of the connection has its status alone. */
export function connectionState({ status, connection, statusReason }: Shown): StateWord {
  if (connection !== undefined) return WORDS[connection];
  if (status === "active" && !statusReason) return WORDS.connected;
  return { ...WORDS.paused, tone: status === "error" || statusReason ? "danger" : "neutral" };
}

/** The badge in lists has two words; which state it is says the sentence beside it. */
export function listBadge(shown: Shown): StateWord {
  const { name, tone } = connectionState(shown);
  const works = name === WORDS.connected.name || name === WORDS.connecting.name;
  return works ? WORDS.connected : { name: WORDS.paused.name, tone };
}
