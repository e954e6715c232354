/** The forms in which clients take a proxied connection, and handshakes with proxies that answer unusually. */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { type ProxyServer, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { certificateFor } from "#server/test/servers/self-signed.ts";
import { type ConnectionTarget, connectThrough, type ProxySettings } from "./connect.ts";
import { createProxied, type Proxied } from "./proxied.ts";
import { ProxyFailure, type ProxyProblem, proxyFailureOf } from "./proxy-failure.ts";

const settings = (kind: "socks5" | "http" | "https", port: number, login = {}): ProxySettings => ({
  address: { kind, host: "127.0.0.1", port, user: null, password: null, ...login },
  mayBePrivate: true,
});
const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function listen<Listening extends Server>(server: Listening): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

describe("a client", () => {
  let web: Provider;
  let proxy: ProxyServer;
  let secure: Server;
  let way: Proxied;
  beforeAll(async () => {
    web = await startProvider(({ path }, response) => void response.end(`page ${path}`));
    secure = await listen(createTlsServer(await certificateFor("mail.test"), (socket) => void socket.end("220 ready")));
    secure.on("tlsClientError", () => {});
    proxy = await startSocks5();
    way = createProxied(settings("socks5", proxy.port));
  });
  afterAll(async () => {
    await proxy.close();
    await web.close();
    secure.close();
  });

  const ask = (agent: ReturnType<Proxied["agent"]>, host: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ agent, host, port: new URL(web.root).port, path: "/a" }, async (answer) => {
        let said = "";
        for await (const chunk of answer) said += chunk;
        resolve(said);
      });
      asked.on("error", reject).end();
    });

  test("on node:http has an agent, which tells it why the proxy has failed", async () => {
    expect(await ask(way.agent(false), "bot-api.test")).toBe("page /a");
    expect(way.failure()).toBeNull();
    const failures: Error[] = [];
    const dead = createProxied(settings("socks5", 9));
    await expect(
      ask(
        dead.agent(false, (error) => failures.push(error)),
        "bot-api.test",
      ),
    ).rejects.toThrow("refused");
    expect(failures).toMatchObject([{ problem: "refused" }]);
    expect(dead.failure()).toMatchObject({ problem: "refused" });
    dead.note(new ProxyFailure("secret"));
    expect(dead.failure()).toMatchObject({ problem: "secret" });
  });

  test("never speaks to a server whose certificate is not that of the name, whatever form it takes", async () => {
    const target = { host: "mail.test", port: portOf(secure) };
    const relay = await way.relay({ ...target, tls: true });
    onTestFinished(() => relay.close());
    const near = connect(relay.path);
    let said = "";
    near.on("error", () => {});
    for await (const chunk of near) said += chunk;
    expect(said).toBe("");
    const failures: Error[] = [];
    const agent = way.agent(true, (error) => failures.push(error));
    const asked = new Promise((_resolve, reject) => {
      requestSecurely({ agent, host: target.host, port: target.port }).on("error", reject).end();
    });
    await expect(asked).rejects.toThrow("self-signed certificate");
    expect(failures).toMatchObject([{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }]);
  });

  test("may be given the connection to the proxy itself, and a signal of a class of its own", async () => {
    const socket = await way.connectToProxy();
    socket.write(Buffer.from([5, 1, 0]));
    expect(await new Promise((resolve) => socket.once("data", resolve))).toEqual(Buffer.from([5, 0]));
    socket.destroy();
    const url = `http://bot-api.test:${new URL(web.root).port}/b`;
    let abort = () => {};
    const foreign = {
      aborted: false,
      addEventListener(_type: string, listener: () => void) {
        abort = listener;
      },
    };
    const signal = foreign as unknown as AbortSignal;
    expect(await (await way.fetch(url, { signal })).text()).toBe("page /b");
    const stopped = way.fetch(url, { signal });
    await expect.poll(() => proxy.targets.length).toBeGreaterThan(2);
    abort();
    await stopped.catch(() => {});
    await expect(way.fetch(url, { signal: { ...foreign, aborted: true } as AbortSignal })).rejects.toThrow("aborted");
    expect(await (await way.fetch(new Request(url))).text()).toBe("page /b");
  });
});

describe("a proxy", () => {
  /** One that answers each piece it is sent by the next of these, and then hangs up. */
  async function answering(...answers: (Buffer | string)[]) {
    const heard: Buffer[] = [];
    const left = [...answers];
    const server = await listen(
      createServer((socket: Socket) => {
        socket.on("error", () => {});
        socket.on("data", (chunk) => {
          heard.push(chunk);
          const next = left.shift();
          if (next === undefined) socket.destroy();
          else socket.write(next);
        });
      }),
    );
    onTestFinished(() => void server.close());
    return { heard, port: portOf(server) };
  }
  const problemOf = (connecting: Promise<Socket>): Promise<ProxyProblem | null | undefined> =>
    connecting.then(
      (socket) => {
        socket.destroy();
        return null;
      },
      (error: unknown) => proxyFailureOf(error)?.problem,
    );
  const CHOSEN = Buffer.from([5, 0]);
  const PASSWORD = Buffer.from([5, 2]);
  const connected = (kind: number, ...address: number[]) => Buffer.from([5, 0, 0, kind, ...address, 0, 80]);

  test.each<[string, ConnectionTarget, number[]]>([
    ["an address", { host: "10.1.2.3", port: 443 }, [1, 10, 1, 2, 3, 1, 187]],
    [
      "a long address",
      { host: "2a02:6b8::1:119", port: 80 },
      [4, 0x2a, 2, 6, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x19, 0, 80],
    ],
    ["a name", { host: "a.test", port: 80 }, [3, 6, 97, 46, 116, 101, 115, 116, 0, 80]],
  ])("of SOCKS5 is asked for %s, and may itself be at an address of any kind", async (_, target, bytes) => {
    const own = [connected(1, 1, 2, 3, 4), connected(4, ...Array(16).fill(0)), connected(3, 2, 97, 98)];
    for (const answer of own) {
      const { heard, port } = await answering(CHOSEN, answer);
      expect(await problemOf(connectThrough(settings("socks5", port), target))).toBeNull();
      expect(heard[1]).toEqual(Buffer.from([5, 1, 0, ...bytes]));
    }
  });

  const LOGIN = { user: "user", password: "word" };
  test.each<[string, object, (Buffer | string)[], ProxyProblem]>([
    ["of another version", {}, [Buffer.from([4, 0])], "protocol"],
    ["that changes its version", {}, [CHOSEN, Buffer.from([4, 0, 0, 1, 0, 0, 0, 0, 0, 0])], "protocol"],
    ["at an address of no kind", {}, [CHOSEN, connected(9, 1, 2, 3, 4)], "protocol"],
    ["that hangs up on a wrong password", LOGIN, [PASSWORD], "login"],
    ["that answers a password in another language", LOGIN, [PASSWORD, Buffer.from([7, 0])], "protocol"],
    ["that hangs up in the middle", {}, [CHOSEN], "cut"],
  ])("of SOCKS5 %s fails for that reason", async (_, login, answers, problem) => {
    const { port } = await answering(...answers);
    expect(await problemOf(connectThrough(settings("socks5", port, login), { host: "a.test", port: 80 }))).toBe(
      problem,
    );
  });

  test.each<[string, ProxyProblem | null]>([
    ["HTTP/1.1 200 OK", null],
    ["HTTP/1.0 200", null],
    ["HTTP/1.1 302 Found", "protocol"],
    ["HTTP/1.1 401 Unauthorized", "forbidden"],
    ["HTTP/1.1 404 Not Found", "target"],
    ["HTTP/1.1 408 Request Timeout", "target"],
    ["HTTP/1.1 504 Gateway Timeout", "target"],
    ["HTTP/1.1 what", "protocol"],
    [`HTTP/1.1 200 ${"x".repeat(20_000)}`, "protocol"],
  ])("of HTTP that answers %.30s", async (head, problem) => {
    const { heard, port } = await answering(`${head}\r\n${head.length > 10_000 ? "" : "\r\n"}`);
    expect(await problemOf(connectThrough(settings("http", port), { host: "2a02:6b8::1", port: 443 }))).toBe(problem);
    expect(heard.join()).toContain("CONNECT [2a02:6b8::1]:443 HTTP/1.1\r\nHost: [2a02:6b8::1]:443\r\n\r\n");
  });

  test("is not asked for a name that its protocol cannot carry, nor an MTProxy for any", async () => {
    const { port, heard } = await answering(CHOSEN);
    const to = (host: string) => ({ host, port: 80 });
    expect(await problemOf(connectThrough(settings("socks5", port), to("a".repeat(256))))).toBe("target");
    expect(await problemOf(connectThrough(settings("http", port), to("a.test\r\nX: y")))).toBe("target");
    expect(heard.join()).not.toContain("X: y");
    const mtproxy = { kind: "mtproxy", host: "127.0.0.1", port, user: null, password: null } as const;
    const asked = connectThrough({ address: { ...mtproxy, secret: "00" } as never, mayBePrivate: true }, to("a.test"));
    await expect(asked).rejects.toThrow("An MTProxy has no targets");
  });

  test("that should speak TLS and does not, or has another's certificate, fails as a fault of TLS", async () => {
    const { port } = await answering("HTTP/1.1 400 Bad Request\r\n\r\n");
    const through = (to: number) => problemOf(connectThrough(settings("https", to), { host: "a.test", port: 80 }));
    expect(await through(port)).toBe("tls");
    const secure = await listen(createTlsServer(await certificateFor("other.test"), () => {}));
    onTestFinished(() => void secure.close());
    secure.on("tlsClientError", () => {});
    expect(await through(portOf(secure))).toBe("tls");
  });
});
