/** Parses the proxy entered for an integration, and checks whether the caller may name such an address. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type IntegrationPlatform, type NewCredentials, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { type ProxyAddress, proxyLabel, proxyTrouble, readProxy } from "#contract/integrations/proxy-address.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { mayBePublic, PrivateAddress, publicAddressOf } from "#server/platform/network/public-address.ts";

interface ProxyUser {
  platform: IntegrationPlatform;
  /** Whether it is a personal Telegram account, not a bot. */
  account: boolean;
}

export const proxyUser = ({ platform, apiKey }: NewCredentials): ProxyUser => ({
  platform,
  account: platform === "telegram" && apiKey === USERBOT_API_KEY,
});

/**
 * Returns null when no proxy was entered. A member who may connect the account may name a public address; only the operator may name one in
 * a private network (docs/decisions/031-remote-models-and-budgets.md).
 * @throws Problem 422 for an address that cannot be parsed, that this platform cannot use, or that the caller may not name
 */
export async function enteredProxy(
  caller: Pick<Caller, "superAdmin">,
  entered: string | null | undefined,
  { platform, account }: ProxyUser,
): Promise<ProxySettings | null> {
  if (!entered) return null;
  const wrong = proxyTrouble(entered, platform, account);
  if (wrong !== null) throw unprocessable("bad_proxy", wrong);
  const proxy = readProxy(entered).proxy!;
  const address = inAscii(proxy);
  if (!(await leadsInside(address.host))) return { address, mayBePrivate: false };
  if (caller.superAdmin) return { address, mayBePrivate: true };
  throw unprocessable(
    "private_address",
    "Этот прокси в частной сети: такой адрес может задать только тот, кто управляет установкой.",
  );
}

function inAscii(proxy: ProxyAddress): ProxyAddress {
  const host = isIP(proxy.host) === 0 ? domainToASCII(proxy.host) : proxy.host;
  if (host === "") throw unprocessable("bad_proxy", "Проверьте имя сервера прокси: в нём опечатка");
  return { ...proxy, host };
}

/** A name that does not resolve yet may be public; its addresses are checked again before each connection. */
async function leadsInside(host: string): Promise<boolean> {
  if (!mayBePublic(host)) return true;
  try {
    await publicAddressOf(host);
    return false;
  } catch (error) {
    return error instanceof PrivateAddress;
  }
}

/** Returns the part of the proxy that is stored unencrypted, so that its owner recognises it. */
export const openProxy = (proxy: ProxySettings | null): { proxy?: string } =>
  proxy === null ? {} : { proxy: proxyLabel(proxy.address) };
