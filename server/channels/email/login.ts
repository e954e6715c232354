/** What it takes to sign in to a mailbox's servers. */
import { isIP } from "node:net";
import { PrivateAddress, publicAddressOf } from "#server/network/public-address.ts";
import { ChannelTrouble } from "../protocol/channel.ts";
import type { MailServer, MailServers } from "./servers.ts";

export interface Login {
  user: string;
  password: string;
  servers: MailServers;
  /** The servers are those of whoever runs the platform, and may stand in his own network. */
  trusted: boolean;
}

export const AWAY = "Почтовый сервер недоступен";

/** A certificate is what its server's keeper can mend; the rest passes. */
export function awayMessage(error: unknown): string {
  const code = String((error as { code?: string } | null)?.code ?? "");
  return /CERT|SIGNED|ALTNAME|LEAF_SIGNATURE/.test(code) ? "Сертификат почтового сервера не проходит проверку" : AWAY;
}

/** Where to connect, and whose certificate is expected there. @throws ChannelTrouble */
export async function placeOf(
  { host }: MailServer,
  { trusted }: Pick<Login, "trusted">,
): Promise<{ host: string; servername?: string }> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  if (trusted) return { host, ...name };
  try {
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
