/** `fetch` for servers whose certificates are signed by roots that this machine does not know. Loaded once there are any. */
import { Agent, fetch as undiciFetch } from "undici";

/** @param roots root certificates beside which no others count, each a PEM */
export function fetchTrusting(roots: readonly string[]): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: [...roots] }, pipelining: 0 });
  return ((url: string | URL, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
