/** Resolves the servers of a mailbox and words failures of the connection. */
import { isIP } from "node:net";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { mayBePublic, PrivateAddress, publicAddressOf } from "#server/platform/network/public-address.ts";
import type { MailServer, MailServers } from "./servers.ts";

export interface Login {
  user: string;
  password: string;
  servers: MailServers;
  /** Whether the operator has configured the servers, which then may be in a private network. */
  trusted: boolean;
  /** null: connections are direct. */
  proxy: Proxied | null;
}

export const SERVER_UNAVAILABLE = "Почтовый сервер недоступен";

/**
 * Returns the sentence for a failed connection. Certificate errors are named, because an administrator must replace it; other failures are
 * temporary.
 */
export function awayMessage(error: unknown): string {
  const code = String((error as { code?: string } | null)?.code ?? "");
  return /CERT|SIGNED|ALTNAME|LEAF_SIGNATURE/.test(code)
    ? "Сертификат почтового сервера не проходит проверку"
    : SERVER_UNAVAILABLE;
}

/**
 * Returns the address to connect to, and the name that its certificate must have. A public proxy resolves the name itself. A proxy in our
 * own network gets an address resolved here, because it could reach forbidden private addresses.
 * @throws ChannelTrouble
 */
export async function placeOf(
  { host }: MailServer,
  { trusted, proxy }: Pick<Login, "trusted" | "proxy">,
): Promise<{ host: string; servername?: string }> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  if (trusted) return { host, ...name };
  try {
    if (proxy !== null && !proxy.settings.mayBePrivate) {
      if (!mayBePublic(host)) throw new PrivateAddress(host);
      return { host, ...name };
    }
    return { host: await publicAddressOf(host), ...name };
  } catch (error) {
    if (error instanceof PrivateAddress) {
      throw new ChannelTrouble("auth", "Почтовый сервер должен быть доступен из интернета: этот адрес внутренний");
    }
    throw new ChannelTrouble("away", `Почтовый сервер ${host} не найден`);
  }
}

export function refusedLogin({ servers: { provider } }: Login, way: "IMAP" | "SMTP"): ChannelTrouble {
  const who = provider === null ? "Почтовый сервер" : provider.name;
  const what = way === "IMAP" ? "не принимает адрес и пароль" : "не принимает адрес и пароль для отправки писем";
  const advice = provider?.advice ?? "Проверьте их; многие почты пускают программы только с паролем приложения.";
  return new ChannelTrouble("auth", `${who} ${what}. ${advice}`);
}
