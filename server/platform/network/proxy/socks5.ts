/** The part of SOCKS5 that a client needs: a connection to a name or an address, with name and password (RFC 1928, RFC 1929). */
import { isIP, type Socket } from "node:net";
import { ProxyFailure } from "../proxy-failure.ts";
import { readExactly } from "./socket-reader.ts";

const VERSION = 5;
const NO_LOGIN = 0;
const BY_PASSWORD = 2;
const NOT_ALLOWED = 2;
const [IPV4, NAME, IPV6] = [1, 3, 4];

/** The proxy resolves the target's name. @throws ProxyFailure */
export async function socks5Connect(
  socket: Socket,
  { host, port }: { host: string; port: number },
  login: { user: string; password: string } | null,
): Promise<void> {
  socket.write(Buffer.from(login === null ? [VERSION, 1, NO_LOGIN] : [VERSION, 2, NO_LOGIN, BY_PASSWORD]));
  const [version, method] = await readExactly(socket, 2);
  if (version !== VERSION) throw new ProxyFailure("protocol");
  if (method === BY_PASSWORD && login !== null) await signIn(socket, login);
  else if (method !== NO_LOGIN) throw new ProxyFailure(login === null ? "login-missing" : "login");
  const place = Buffer.alloc(2);
  place.writeUInt16BE(port);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(host), place]));
  const [answered, reply, , kind] = await readExactly(socket, 4);
  if (answered !== VERSION) throw new ProxyFailure("protocol");
  if (reply !== 0) throw new ProxyFailure(reply === NOT_ALLOWED ? "forbidden" : "target");
  // Skips the address from which the proxy has connected.
  const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : kind === NAME ? (await readExactly(socket, 1))[0]! : null;
  if (length === null) throw new ProxyFailure("protocol");
  await readExactly(socket, length + 2);
}

async function signIn(socket: Socket, { user, password }: { user: string; password: string }): Promise<void> {
  const [name, word] = [Buffer.from(user), Buffer.from(password)];
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]));
  // Some proxies close the connection instead of answering.
  const [version, status] = await readExactly(socket, 2).catch((error: unknown) => {
    throw error instanceof ProxyFailure && error.problem === "cut" ? new ProxyFailure("login") : error;
  });
  if (version !== 1 && version !== VERSION) throw new ProxyFailure("protocol");
  if (status !== 0) throw new ProxyFailure("login");
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([IPV4, ...host.split(".").map(Number)]);
  if (isIP(host) === 6) return Buffer.concat([Buffer.from([IPV6]), ipv6Bytes(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new ProxyFailure("target");
  return Buffer.concat([Buffer.from([NAME, name.length]), name]);
}

function ipv6Bytes(address: string): Buffer {
  // Expands the address to its full form, as URLs write it.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const all =
    tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
