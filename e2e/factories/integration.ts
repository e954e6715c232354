import type { Integration } from "#contract/integrations/integrations.ts";
import { NOW, uuid } from "./ids.ts";

/** A connected account of Telegram, with the fields that the specification names; what it leaves open is given where it matters. */
export const buildIntegration = (n: number, own: Partial<Integration> = {}): Partial<Integration> => ({
  id: uuid(100 + n),
  platform: "telegram",
  status: "active",
  statusReason: null,
  digitalTwinName: "Анна",
  digitalTwinId: uuid(1),
  messagesImported: 1247,
  messagesHandled: 95,
  lastSync: NOW,
  createdAt: NOW,
  updatedAt: NOW,
  phoneNumber: `+7900000000${n}`,
  config: { phoneNumber: `+7900000000${n}` },
  settings: { success_rate: 0.95 },
  autonomy: "draft",
  ...own,
});
