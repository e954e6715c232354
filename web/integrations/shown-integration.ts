import * as z from "zod/mini";
import { Connection } from "#contract/integrations/integrations.ts";
import { ReimportState } from "#contract/knowledge/reimport.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { channelName } from "#web/parts/channel-name.ts";

const textOrNull = z.catch(z.optional(z.nullable(z.string())), null);
const count = z.catch(z.optional(z.nullable(z.number())), null);

/** An entry of the two integration lists. The screens have a text for every missing field. */
export const ShownIntegration = z.object({
  id: z.catch(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), ""),
  platform: z.catch(z.string(), ""),
  status: z.catch(z.string(), ""),
  statusReason: textOrNull,
  digitalTwinName: textOrNull,
  digitalTwinId: textOrNull,
  messagesImported: count,
  messagesHandled: count,
  lastSync: textOrNull,
  createdAt: textOrNull,
  updatedAt: textOrNull,
  phoneNumber: textOrNull,
  config: z.catch(z.optional(z.nullable(z.object({ phoneNumber: textOrNull }))), null),
  autonomy: textOrNull,
  account: textOrNull,
  isBot: z.catch(z.optional(z.boolean()), undefined),
  trouble: textOrNull,
  limitation: textOrNull,
  setAside: count,
  lastEvent: textOrNull,
  webhook: z.catch(z.optional(z.nullable(z.object({ url: z.string(), verifyToken: textOrNull }))), null),
  connection: z.catch(z.optional(Connection), undefined),
  reimport: z.catch(z.optional(z.nullable(ReimportState)), null),
});
export type ShownIntegration = z.infer<typeof ShownIntegration>;

/** Platforms whose accounts have no phone number. */
const WITHOUT_NUMBERS = new Set(["email", "slack", "discord", "max", "vk", "web", "api"]);

export const HIDDEN_NUMBER = "Номер скрыт";

export const numberOf = ({ config, phoneNumber }: ShownIntegration) => config?.phoneNumber || phoneNumber;

/** Returns the entry's name. The specification shows a fixed text for a missing number; accounts without numbers use their usual name. */
export function nameOf(entry: ShownIntegration): string {
  const phoneNumber = numberOf(entry);
  if (!phoneNumber && !entry.isBot && !WITHOUT_NUMBERS.has(entry.platform)) return HIDDEN_NUMBER;
  return channelName({ ...entry, phoneNumber });
}

/** `names` by twin id, for responses that contain only the twin's id. */
export function twinNameOf(
  { digitalTwinName, digitalTwinId }: ShownIntegration,
  names: ReadonlyMap<string, string>,
): string {
  if (digitalTwinName) return digitalTwinName;
  return digitalTwinId ? (names.get(digitalTwinId) ?? "Неизвестный агент") : "Не указан";
}

/** Number of imported messages; for a bot, which has no history, the number that it has handled. */
export const messagesOf = ({ messagesImported, messagesHandled }: ShownIntegration) =>
  messagesImported || messagesHandled || 0;

export function syncText(moment: string | null | undefined): string {
  return moment && !Number.isNaN(Date.parse(moment)) ? formatMoment(moment) : "Не указана";
}

export const isActive = ({ status }: Pick<ShownIntegration, "status">) => status === "active";

/**
 * Returns what the status badge omits: why the account is disconnected, what does not work, who paused it. null when there is nothing to
 * add.
 */
export function connectionText(
  entry: Pick<ShownIntegration, "connection" | "trouble" | "limitation" | "statusReason">,
): string | null {
  switch (entry.connection) {
    case "connected":
      return entry.limitation ?? null;
    case "connecting":
      return null;
    case "trouble":
      return `${entry.trouble ?? "Платформа недоступна"}. Сервер пробует снова сам, обычно раз в минуту.`;
    case "action":
      return entry.statusReason ?? "Проверьте ключи";
    case "paused":
      return "Приостановлено вами";
    case undefined:
      return entry.statusReason ?? null;
  }
}
