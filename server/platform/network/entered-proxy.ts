/** Checks whether a member may name a proxy that he has entered. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type ProxyAddress, proxyTrouble, readProxy } from "#contract/integrations/proxy-address.ts";
import { type Problem, unprocessable } from "#server/platform/errors.ts";
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
  if (wrong !== null) throw refused("bad_proxy", wrong);
  const address = inAscii(readProxy(entered).proxy!);
  if (!(await leadsInside(address.host))) return { address, mayBePrivate: false };
  if (superAdmin) return { address, mayBePrivate: true };
  throw refused(
    "private_address",
    "Этот прокси в частной сети: такой адрес может задать только тот, кто управляет установкой.",
  );
}

const refused = (code: "bad_proxy" | "private_address", said: string): Problem =>
  unprocessable(code, said, { fields: { proxy: said } });

function inAscii(proxy: ProxyAddress): ProxyAddress {
  const host = isIP(proxy.host) === 0 ? domainToASCII(proxy.host) : proxy.host;
  if (host === "") throw refused("bad_proxy", "Проверьте имя сервера прокси: в нём опечатка");
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
