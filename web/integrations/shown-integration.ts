import * as z from "zod/mini";
import { Connection } from "#contract/integrations/integrations.ts";
import { ReimportState } from "#contract/knowledge/reimport.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { channelName } from "#web/parts/channel-name.ts";

const textOrNull = z.catch(z.optional(z.nullable(z.string())), null);
const count = z.catch(z.optional(z.nullable(z.number())), null);

/** An entry of the two lists as the screens read it: whatever it lacks has a word of its own on the screen. */
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

/** Accounts there have no phone number. */
const WITHOUT_NUMBERS = new Set(["email", "slack", "discord", "max", "vk", "web", "api"]);

export const HIDDEN_NUMBER = "Номер скрыт";

export const numberOf = ({ config, phoneNumber }: ShownIntegration) => config?.phoneNumber || phoneNumber;

/** The list is specified to say that a number is not shown; what has none goes by the name that it has everywhere. */
export function nameOf(entry: ShownIntegration): string {
  const phoneNumber = numberOf(entry);
  if (!phoneNumber && !entry.isBot && !WITHOUT_NUMBERS.has(entry.platform)) return HIDDEN_NUMBER;
  return channelName({ ...entry, phoneNumber });
}

/** `names` by twin id: for an answer that names the twin by its id alone. */
export function twinNameOf(
  { digitalTwinName, digitalTwinId }: ShownIntegration,
  names: ReadonlyMap<string, string>,
): string {
  if (digitalTwinName) return digitalTwinName;
  return digitalTwinId ? (names.get(digitalTwinId) ?? "Неизвестный агент") : "Не указан";
}

/** Those of the history that was imported; of a bot, which has none, those that it has handled. */
export const messagesOf = ({ messagesImported, messagesHandled }: ShownIntegration) =>
  messagesImported || messagesHandled || 0;

/** A moment in words, else «Не указана». */
export function syncText(moment: string | null | undefined): string {
  return moment && !Number.isNaN(Date.parse(moment)) ? formatMoment(moment) : "Не указана";
}

export const isActive = ({ status }: Pick<ShownIntegration, "status">) => status === "active";

/** What the badge of the state does not say: why it is cut off, what does not work, who has paused it; null where it says all. */
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
