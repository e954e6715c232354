/** Opens a tunnel through an HTTP proxy (RFC 9110, 9.3.6). */
import { isIP, type Socket } from "node:net";
import { ProxyFailure } from "../proxy-failure.ts";
import { readUntil } from "./socket-reader.ts";

const LONGEST_HEAD = 16 * 1024;

/** The proxy resolves the target's name. @throws ProxyFailure */
export async function httpConnect(
  socket: Socket,
  { host, port }: { host: string; port: number },
  login: { user: string; password: string } | null,
): Promise<void> {
  // Other characters would break the request line of the proxy's protocol.
  if (/[^\w.:-]/.test(host)) throw new ProxyFailure("target");
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const proof =
    login === null
      ? ""
      : `Proxy-Authorization: Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proof}\r\n`);
  const head = await readUntil(socket, { begins: "HTTP/1.", end: "\r\n\r\n", longest: LONGEST_HEAD });
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(head)?.[1] ?? Number.NaN);
  if (status >= 200 && status < 300) return;
  if (status === 407) throw new ProxyFailure(login === null ? "login-missing" : "login");
  if (status === 401 || status === 403) throw new ProxyFailure("forbidden");
  if (status === 404 || status === 408 || status >= 500) throw new ProxyFailure("target");
  throw new ProxyFailure("protocol");
}
