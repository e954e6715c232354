/** Checks the way to a platform hop by hop for «Проверить соединение»: what worked, what failed, and what the owner can do. */
import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { getCACertificates } from "node:tls";
import type { CheckHop, CheckStep } from "#contract/integrations/connection-check.ts";
import type { CheckedServer } from "#server/inbox/channel-protocol/platform.ts";
import type { ConnectionTarget } from "#server/platform/network/connect.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { secureSocket } from "#server/platform/network/proxied.ts";
import { PROXY_PROBLEMS, ProxyFailure } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress, publicAddressOf } from "#server/platform/network/public-address.ts";

const NAME_MS = 5_000;
const TCP_MS = 8_000;

/** Sends nothing to the server except the TLS handshake. Hops that a server does not have (a name, TLS) are left out. */
export function checkConnectionSteps(server: CheckedServer, proxy: Proxied | null): Promise<CheckStep[]> {
  return proxy === null ? directSteps(server) : proxySteps(server, proxy);
}

const label = ({ host, port }: ConnectionTarget) => `${host.includes(":") ? `[${host}]` : host}:${port}`;
const ok = (hop: CheckHop, text: string, milliseconds: number): CheckStep => ({
  ...{ hop, state: "ok", text, advice: null, milliseconds },
});
const failed = (hop: CheckHop, { said, advice }: { said: string; advice: string }, since: number): CheckStep => ({
  ...{ hop, state: "failed", text: said, advice, milliseconds: elapsed(since) },
});
const elapsed = (since: number) => Math.round(performance.now() - since);

export const skippedStep = (hop: CheckHop): CheckStep => ({
  ...{ hop, state: "skipped", text: SKIPPED[hop], advice: null, milliseconds: null },
});
const SKIPPED: Record<CheckHop, string> = {
  name: "Имя сервера",
  tcp: "Соединение",
  proxy: "Путь через прокси",
  tls: "Защищённое соединение",
  platform: "Ответ платформы",
};

const USE_PROXY = "Если интернет на сервере есть, доступ закрыт по пути: укажите прокси в «Дополнительно».";

async function directSteps(server: CheckedServer): Promise<CheckStep[]> {
  const { host, port, tls, ours } = server;
  const steps: CheckStep[] = [];
  let began = performance.now();
  let address = host;
  const rest = (...hops: CheckHop[]) => [...steps, ...hops.filter((hop) => hop !== "tls" || tls).map(skippedStep)];
  if (isIP(host) === 0 || !ours) {
    try {
      address = await inTime(NAME_MS, ours ? lookup(host).then((found) => found.address) : publicAddressOf(host));
    } catch (error) {
      const inside = error instanceof PrivateAddress;
      const said = inside ? `Сервер ${host} в частной сети` : `Сервер ${host} не найден`;
      const advice = inside
        ? "Нужен сервер, доступный из интернета."
        : "Проверьте имя, интернет и DNS на машине, где работает эта установка.";
      steps.push(failed("name", { said, advice }, began));
      return rest("tcp", "tls");
    }
    if (isIP(host) === 0) steps.push(ok("name", `Сервер ${host} найден`, elapsed(began)));
  }
  began = performance.now();
  let socket: Socket;
  try {
    socket = await opened(address, port);
  } catch (error) {
    const refused = (error as { code?: string }).code === "ECONNREFUSED";
    const said = refused ? `${label(server)} не принимает соединения` : `${label(server)} не отвечает`;
    steps.push(failed("tcp", { said, advice: USE_PROXY }, began));
    return rest("tls");
  }
  steps.push(ok("tcp", `${label(server)} отвечает`, elapsed(began)));
  if (tls) steps.push(await tlsStep(socket, server, null));
  socket.destroy();
  return steps;
}

async function proxySteps(server: CheckedServer, proxy: Proxied): Promise<CheckStep[]> {
  const { address } = proxy.settings;
  const steps: CheckStep[] = [];
  const named = isIP(address.host) === 0;
  const hops = ["name", "tcp", "proxy"] as const;
  const made = { name: `Прокси ${address.host} найден`, tcp: `Прокси ${label(address)} отвечает` };
  let began = performance.now();
  const passed = (hop: (typeof hops)[number], milliseconds: number) => {
    began = performance.now();
    if (hop === "name" && !named) return;
    const signedIn = address.kind !== "mtproxy" && address.user !== null ? "принял имя и пароль и " : "";
    steps.push(ok(hop, hop === "proxy" ? `Прокси ${signedIn}соединил с ${label(server)}` : made[hop], milliseconds));
  };
  let socket: Socket;
  try {
    socket = await (address.kind === "mtproxy" ? proxy.connectToProxy({ passed }) : proxy.connect(server, { passed }));
  } catch (error) {
    if (!(error instanceof ProxyFailure)) throw error;
    const { problem } = error;
    const hop = hopOf(error);
    // The host is an address in a private network instead of a name.
    steps.push(failed(hop, PROXY_PROBLEMS[problem], began));
    const after = hops.slice(hops.indexOf(hop) + 1).filter((each) => each !== "proxy" || address.kind !== "mtproxy");
    return [...steps, ...after.map(skippedStep), ...(server.tls ? [skippedStep("tls")] : [])];
  }
  if (server.tls) steps.push(await tlsStep(socket, server, proxy));
  socket.destroy();
  return steps;
}

function hopOf({ problem }: ProxyFailure): "name" | "tcp" | "proxy" {
  if (problem === "name" || problem === "private") return "name";
  return problem === "refused" || problem === "unreachable" || problem === "tls" ? "tcp" : "proxy";
}

const CERTIFICATE = /CERT|SIGNED|ALTNAME|LEAF_SIGNATURE|ISSUER/;

async function tlsStep(socket: Socket, { host, roots = [] }: CheckedServer, proxy: Proxied | null): Promise<CheckStep> {
  const began = performance.now();
  try {
    const trusted = roots.length === 0 ? null : [...getCACertificates("default"), ...roots];
    (await secureSocket(socket, host, trusted)).destroy();
    return ok("tls", `Сертификат ${host} проверен`, elapsed(began));
  } catch (error) {
    if (CERTIFICATE.test(String((error as { code?: string }).code))) {
      const said = `Сертификат ${host} не проходит проверку`;
      const who = proxy === null ? "По пути кто-то отвечает за него" : "Прокси или кто-то за ним отвечает за него";
      const advice = `${who}, или на этой машине неверные часы. Ключ не отправлялся.`;
      return failed("tls", { said, advice }, began);
    }
    const said = `Защищённое соединение с ${host} не открылось`;
    const advice =
      proxy === null
        ? USE_PROXY
        : "Прокси соединил, но до платформы данные не доходят: попробуйте другой прокси, лучше в другой стране.";
    return failed("tls", { said, advice }, began);
  }
}

function opened(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  const open = new Promise<Socket>((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
  return inTime(TCP_MS, open).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("No answer in time")), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
