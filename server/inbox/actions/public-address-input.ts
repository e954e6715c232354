import { invalid } from "#server/platform/errors.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";

/** @returns the address. @throws Problem 400 for one that must not be requested */
export function requirePublicAddress(entered: string, loopback: boolean): URL {
  try {
    const url = new URL(entered);
    checkAddress(url, loopback);
    return url;
  } catch (error) {
    if (!(error instanceof PrivateAddress) && !(error instanceof TypeError)) throw error;
    const said = "Нужен публичный адрес по https, например https://example.ru/orders";
    throw invalid("invalid_input", said, { fields: { url: said } });
  }
}
