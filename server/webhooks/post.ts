/** Sends a request to an address given by a user: https only, public only, and exactly to the IP address that was checked. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { mayBePublic, PrivateAddress, plainHost, publicAddressOf } from "#server/network/public-address.ts";

const hostOf = (url: URL): string => plainHost(url.hostname);
const isLoopback = (url: URL): boolean => ["127.0.0.1", "::1"].includes(hostOf(url));

/**
 * Checks the URL itself; where its name leads is checked when it is requested.
 * @param loopback whether this machine may be addressed too, without TLS: in tests only
 * @throws PrivateAddress
 */
export function checkAddress(url: URL, loopback: boolean): void {
  if (loopback && isLoopback(url)) return;
  const host = hostOf(url);
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "" || !mayBePublic(host)) {
    throw new PrivateAddress(`${host} is not to be asked`);
  }
}

interface Post {
  headers: Record<string, string>;
  body: string | Buffer;
  timeoutMs: number;
  /** Aborts the request. */
  ending?: AbortSignal;
  loopback: boolean;
}

/**
 * POSTs and returns the status; redirects are not followed, and no body is read.
 * @throws PrivateAddress, or the network's error
 */
export async function post(url: URL, { headers, body, timeoutMs, ending, loopback }: Post): Promise<number> {
  checkAddress(url, loopback);
  const address = loopback && isLoopback(url) ? hostOf(url) : await publicAddressOf(hostOf(url));
  const family = isIP(address);
  const lookup: LookupFunction = (_host, { all }, done) =>
    all === true ? done(null, [{ address, family }]) : done(null, address, family);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((done, failed) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = ending === undefined ? timeout : AbortSignal.any([timeout, ending]);
    const request = send(url, { method: "POST", headers, agent: false, signal, lookup }, (answer) => {
      done(answer.statusCode ?? 0);
      answer.destroy();
    });
    request.on("error", failed);
    request.end(body);
  });
}
