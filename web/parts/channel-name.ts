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
 * What a channel is called on every screen: its number, else its account. Until the platform has told that, its kind and the
 * moment of connecting tell two of one kind apart.
 */
export function channelName({ platform, account, phoneNumber, isBot, createdAt }: NamedChannel): string {
  const known = phoneNumber || account;
  if (known) return known;
  const kind = isBot ? "Бот" : platformName(platform);
  return createdAt ? `${kind} от\u00a0${formatRecent(createdAt)}` : kind;
}
