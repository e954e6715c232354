/** Checks whether a member may name a proxy that he has entered. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type ProxyAddress, proxyTrouble, readProxy } from "#contract/integrations/proxy-address.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { ProxySettings } from "./connect.ts";
import { mayBePublic, PrivateAddress, publicAddressOf } from "./public-address.ts";

/**
 * A member may name a public address; only the operator may name one in a private network
 * (docs/decisions/031-remote-models-and-budgets.md).
 * @param entered null, undefined or "": no proxy
 * @param ofAccount whether a person's own Telegram account is connected through it
 * @throws Problem 422, at the field `proxy`, for an address that cannot be parsed, that this connection cannot use, or that the caller may
 * not name
 */
export async function enteredProxy(
  { superAdmin }: { superAdmin: boolean },
  entered: string | null | undefined,
  ofAccount = false,
): Promise<ProxySettings | null> {
  if (!entered) return null;
  const wrong = proxyTrouble(entered, ofAccount);
  if (wrong !== null) throw unprocessable("bad_proxy", wrong, atProxy(wrong));
  const address = inAscii(readProxy(entered).proxy!);
  if (!(await leadsInside(address.host))) return { address, mayBePrivate: false };
  if (superAdmin) return { address, mayBePrivate: true };
  const inside = "Этот прокси в частной сети: такой адрес может задать только тот, кто управляет установкой.";
  throw unprocessable("private_address", inside, atProxy(inside));
}

const atProxy = (said: string) => ({ fields: { proxy: said } });

function inAscii(proxy: ProxyAddress): ProxyAddress {
  const host = isIP(proxy.host) === 0 ? domainToASCII(proxy.host) : proxy.host;
  const misspelt = "Проверьте имя сервера прокси: в нём опечатка";
  if (host === "") throw unprocessable("bad_proxy", misspelt, atProxy(misspelt));
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
