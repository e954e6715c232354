import { formatRecent } from "#web/i18n/format.ts";
import { platformName } from "#web/ui/platform-icon.tsx";

interface NamedChannel {
  platform: string;
  account?: string | null | undefined;
  phoneNumber?: string | null | undefined;
  isBot?: boolean | undefined;
  createdAt?: string | null | undefined;
}

/**
 * Returns a channel's name as on every screen: its number, otherwise its account. Until the platform has reported these, its kind and
 * the time of connecting distinguish channels of one kind.
 */
export function channelName({ platform, account, phoneNumber, isBot, createdAt }: NamedChannel): string {
  const known = phoneNumber || account;
  if (known) return known;
  const kind = isBot ? "Бот" : platformName(platform);
  return createdAt ? `${kind} от\u00a0${formatRecent(createdAt)}` : kind;
}
