import { invalid, type Problem } from "#server/platform/errors.ts";
import { proxyFailureOf } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";

/** @param field of the input, beside which the sentence is shown */
export const refusedInput = (field: string, said: string): Problem =>
  invalid("invalid_input", said, { fields: { [field]: said } });

/** The field of the input beside which a failure of a request is said. @param otherwise where the proxy is not to blame */
export const faultyField = (error: unknown, otherwise: string): string =>
  proxyFailureOf(error) === null ? otherwise : "proxy";

/** @returns the address. @throws Problem 400 for one that must not be requested */
export function requirePublicAddress(entered: string, loopback: boolean): URL {
  try {
    const url = new URL(entered);
    checkAddress(url, loopback);
    return url;
  } catch (error) {
    if (!(error instanceof PrivateAddress) && !(error instanceof TypeError)) throw error;
    throw refusedInput("url", "Нужен публичный адрес по https, например https://example.ru/orders");
  }
}

/** @throws Problem 400 for names that two fields have, or that code gives itself */
export function requireNames(fields: readonly { name: string }[]): void {
  const names = fields.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length) throw refusedInput("settings", "Два поля с одним именем");
  if (names.some((name) => /^proof\d$/.test(name)))
    throw refusedInput("settings", "Имена proof1, proof2 и proof3 заняты");
}
