/**
 * Local proxies for tests: SOCKS5, HTTP CONNECT and MTProxy, which refuse, stall, answer garbage and break. Names that end in «.test» lead to
 * this machine through them, and nowhere without them: a client that goes around its proxy reaches nothing.
 */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

type ProxyMood =
  | "well"
  /** Takes the connection and says nothing. */
  | "silent"
  | "garbage"
  /** Hangs up in the handshake. */
  | "hangs-up"
  /** Refuses the requested target, or cannot reach it. */
  | "forbids"
  | "cannot-reach";

export interface ProxyServer {
  port: number;
  /** Where its clients have gone: «host:port», in order. */
  targets: string[];
  mood: ProxyMood;
  /** Milliseconds before each answer of the handshake. */
  delayMs: number;
  /** Breaks the connections that are open. */
  cut(): void;
  /** Stops listening, and begins again at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Login {
  user: string;
  password: string;
}

type Serve = (client: Client, proxy: ProxyServer) => Promise<void>;

export const startSocks5 = (login: Login | null = null): Promise<ProxyServer> =>
  startProxy((client, proxy) => socks5(client, proxy, login));
export const startHttpProxy = (login: Login | null = null): Promise<ProxyServer> =>
  startProxy((client, proxy) => httpProxy(client, proxy, login));
/** @param secret sixteen bytes @param telegram where Telegram is */
export const startMtproxy = (secret: Buffer, telegram: { host: string; port: number }): Promise<ProxyServer> =>
  startProxy((client, proxy) => mtproxy(client, proxy, secret, telegram));

async function startProxy(serve: Serve): Promise<ProxyServer> {
  const sockets = new Set<Socket>();
  let server: Server;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (port: number) => {
    server = createServer((socket) => {
      const keep = (each: Socket) => {
        sockets.add(each);
        each.on("error", () => {});
        each.on("close", () => sockets.delete(each));
      };
      keep(socket);
      serve(new Client(socket, keep), proxy).catch(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const stopped = new Promise((resolve) => server.close(resolve));
    cut();
    await stopped;
  };
  const proxy: ProxyServer = {
    ...{ port: 0, targets: [], mood: "well", delayMs: 0, cut, stop, close: stop },
    async start() {
      await listen(proxy.port);
    },
  };
  proxy.port = await listen(0);
  return proxy;
}

class Client {
  readonly socket: Socket;
  readonly #keep: (socket: Socket) => void;
  #read = Buffer.alloc(0);
  #wake = () => {};
  #ended = false;

  constructor(socket: Socket, keep: (socket: Socket) => void) {
    this.socket = socket;
    this.#keep = keep;
    socket.on("data", this.#take);
    socket.on("close", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  #take = (chunk: Buffer) => {
    this.#read = Buffer.concat([this.#read, chunk]);
    this.#wake();
  };

  async #until(done: () => number): Promise<Buffer> {
    for (;;) {
      const length = done();
      if (length >= 0) {
        const bytes = this.#read.subarray(0, length);
        this.#read = this.#read.subarray(length);
        return bytes;
      }
      if (this.#ended) throw new Error("The client has left");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  bytes(count: number): Promise<Buffer> {
    return this.#until(() => (this.#read.length >= count ? count : -1));
  }

  async head(): Promise<string> {
    const end = "\r\n\r\n";
    return String(
      await this.#until(() => {
        const at = this.#read.indexOf(end);
        return at === -1 ? -1 : at + end.length;
      }),
    );
  }

  /** The connection to the target; null where it cannot be had. */
  async open(host: string, port: number): Promise<Socket | null> {
    const target = connect({ host: host.endsWith(".test") ? "127.0.0.1" : host, port });
    this.#keep(target);
    return new Promise((resolve) => {
      target.once("connect", () => resolve(target));
      target.once("error", () => resolve(null));
    });
  }

  /** @param out, @param back change what goes to the target, and what comes from it */
  join(target: Socket, out?: Transform, back?: Transform): void {
    this.socket.off("data", this.#take);
    const [first, last] = out ? [out, out] : [target, null];
    last?.pipe(target);
    if (this.#read.length > 0) first.write(this.#read);
    this.socket.pipe(first);
    if (back) target.pipe(back).pipe(this.socket);
    else target.pipe(this.socket);
    this.socket.on("close", () => target.destroy());
    target.on("close", () => this.socket.destroy());
  }
}

/** @returns whether the handshake goes on */
async function inMood({ socket }: Client, { mood, delayMs }: ProxyServer): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (mood === "silent") await new Promise((resolve) => socket.on("close", resolve));
  if (mood === "garbage") socket.write("SSH-2.0-OpenSSH_9.2\r\n");
  if (mood === "hangs-up") socket.destroy();
  return mood === "well" || mood === "forbids" || mood === "cannot-reach";
}

async function socks5(client: Client, proxy: ProxyServer, login: Login | null): Promise<void> {
  const { socket } = client;
  const [version, count] = await client.bytes(2);
  const methods = await client.bytes(count!);
  if (!(await inMood(client, proxy))) return;
  const wanted = login === null ? 0 : 2;
  if (version !== 5 || !methods.includes(wanted)) {
    socket.end(Buffer.from([5, 0xff]));
    return;
  }
  socket.write(Buffer.from([5, wanted]));
  if (login !== null) {
    const word = async () => String(await client.bytes((await client.bytes(1))[0]!));
    await client.bytes(1);
    const right = (await word()) === login.user && (await word()) === login.password;
    socket.write(Buffer.from([1, right ? 0 : 1]));
    if (!right) return void socket.end();
  }
  const [, , , kind] = await client.bytes(4);
  const host =
    kind === 3 ? String(await client.bytes((await client.bytes(1))[0]!)) : [...(await client.bytes(4))].join(".");
  const port = (await client.bytes(2)).readUInt16BE();
  proxy.targets.push(`${host}:${port}`);
  const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  const target = proxy.mood === "well" ? await client.open(host, port) : null;
  if (target === null) return void socket.end(reply(proxy.mood === "forbids" ? 2 : 5));
  socket.write(reply(0));
  client.join(target);
}

async function httpProxy(client: Client, proxy: ProxyServer, login: Login | null): Promise<void> {
  const { socket } = client;
  const head = await client.head();
  if (!(await inMood(client, proxy))) return;
  const answer = (status: string) => void socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
  const proof = login && Buffer.from(`${login.user}:${login.password}`).toString("base64");
  if (proof !== null && !head.includes(`Proxy-Authorization: Basic ${proof}\r\n`)) {
    return answer("407 Proxy Authentication Required");
  }
  const [, host, port] = /^CONNECT ([^ ]+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? [];
  if (host === undefined) return answer("400 Bad Request");
  proxy.targets.push(`${host}:${port}`);
  if (proxy.mood === "forbids") return answer("403 Forbidden");
  const target = proxy.mood === "well" ? await client.open(host, Number(port)) : null;
  if (target === null) return answer("502 Bad Gateway");
  socket.write("HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\n");
  client.join(target);
}

/** https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation; a client with another secret is disconnected. */
async function mtproxy(
  client: Client,
  proxy: ProxyServer,
  secret: Buffer,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const start = await client.bytes(64);
  if (!(await inMood(client, proxy))) return;
  const keyOf = (bytes: Buffer) => createHash("sha256").update(bytes).update(secret).digest();
  const incoming = createDecipheriv("aes-256-ctr", keyOf(start.subarray(8, 40)), start.subarray(40, 56));
  const reversed = Buffer.from(start.subarray(8, 56)).reverse();
  const outgoing = createCipheriv("aes-256-ctr", keyOf(reversed.subarray(0, 32)), reversed.subarray(32, 48));
  const tag = incoming.update(start).subarray(56, 60);
  if (tag.readUInt32LE() !== 0xeeeeeeee) return void client.socket.destroy();
  proxy.targets.push(`${host}:${port}`);
  const target = await client.open(host, port);
  if (target === null) return void client.socket.destroy();
  target.write(tag);
  const by = (cipher: { update(chunk: Buffer): Buffer }) =>
    new Transform({ transform: (chunk, _encoding, done) => done(null, cipher.update(chunk)) });
  client.join(target, by(incoming), by(outgoing));
}
