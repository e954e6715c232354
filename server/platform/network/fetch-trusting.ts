/**
 * `fetch` for servers whose certificates are signed by roots that this machine does not know. This module is loaded only when there are
 * such roots.
 */
import { Agent, fetch as undiciFetch } from "undici";

/** @param roots the only accepted root certificates, each a PEM */
export function fetchTrusting(roots: readonly string[]): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: [...roots] }, pipelining: 0 });
  return ((url: string | URL, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
