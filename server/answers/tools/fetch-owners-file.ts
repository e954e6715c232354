/** Fetches a file of the owner's from its address: a table, or the description of a system. */
import type { Problem } from "#server/platform/errors.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { proxySentence } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { requestPublicBytes } from "#server/platform/network/public-request.ts";

const TIMEOUT_MS = 15_000;

export interface OwnersFile {
  /** Media types, as in the header `Accept`. */
  accept: string;
  maxBytes: number;
  loopback: boolean;
  /** null: it is fetched directly. */
  proxy: ProxySettings | null;
  words: { tooLong: string; silent: string; failed: (status: number) => string };
  unreadable: (words: string, cause?: unknown) => Problem;
}

/** @throws what `unreadable` makes, with the reason for the owner */
export async function fetchOwnersFile(url: URL, { accept, words, unreadable, ...limits }: OwnersFile): Promise<Buffer> {
  let answer: { status: number; body: Buffer };
  try {
    const headers = { accept };
    answer = await requestPublicBytes(url, { ...limits, method: "GET", headers, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof PrivateAddress) throw unreadable("Нужен публичный адрес по https", error);
    throw unreadable(error instanceof RangeError ? words.tooLong : (proxySentence(error) ?? words.silent), error);
  }
  if (answer.status >= 300 && answer.status < 400)
    throw unreadable("Адрес перенаправляет на другой: укажите тот, где лежит сам файл");
  if (answer.status !== 200) throw unreadable(words.failed(answer.status));
  return answer.body;
}
