/** The example proxy configurations, run in front of a server if the proxies are installed, else only parsed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent as AgentPlain, request as requestPlain } from "node:http";
import { Agent as AgentTls, request as requestTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import { requestIds } from "#server/platform/http/request-id.ts";
import { startServer } from "#server/test/processes/child-server.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { startProvider } from "#server/test/servers/provider-server.ts";

const script = new URL("../../../scripts/free-port.mjs", import.meta.url).href;
const { freePort } = (await import(script)) as { freePort: () => Promise<number> };

const DEPLOY = join(import.meta.dirname, "../../../deploy");
const NGINX = readFileSync(join(DEPLOY, "nginx/digital-twins.conf"), "utf8");
const CADDY = readFileSync(join(DEPLOY, "Caddyfile"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "dt-proxies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

test("each example gives a request a number of its own, in place of one that the client has sent", () => {
  expect(NGINX).toMatch(/^\s+proxy_set_header X-Request-Id \$request_id;$/m);
  expect(CADDY).toMatch(/^\s+header_up X-Request-Id \{http\.request\.uuid\}$/m);
});

test("each example asks the server by the name of the site, also for its health: it refuses every other name", () => {
  expect(NGINX).toMatch(/^\s+proxy_set_header Host \$host;$/m);
  // Caddy forwards the Host header by default.
  expect(CADDY).not.toMatch(/header_up Host/);
  expect(CADDY).toMatch(/^\s+health_headers \{\n\s+Host \{\$SITE_HOST\}\n\s+\}$/m);
});

const SENT = "11111111-2222-4333-8444-555555555555";

interface Front {
  /** Returns the status of the response; a broken connection is an error. */
  ask(path: string, options?: { method?: string; body?: object; headers?: Record<string, string> }): Promise<number>;
  close(): Promise<void>;
}

async function frontOf(proxy: ChildProcess, { tls, port }: { tls: boolean; port: number }): Promise<Front> {
  const agent = new (tls ? AgentTls : AgentPlain)({ keepAlive: true });
  const front: Front = {
    ask(path, { method = "GET", body, headers = {} } = {}) {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const options = {
        ...{ host: "127.0.0.1", port, path, method, agent, rejectUnauthorized: false },
        headers: { host: "twins.example.ru", ...(sent && { "content-type": "application/json" }), ...headers },
      };
      return new Promise((resolve, reject) => {
        const asked = (tls ? requestTls : requestPlain)(options, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode!));
          answer.on("error", reject);
        });
        asked.on("error", reject).end(sent);
      });
    },
    async close() {
      agent.destroy();
      proxy.kill("SIGTERM");
      if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, "exit");
    },
  };
  const listens = () =>
    front.ask("/healthz").then(
      () => true,
      () => false,
    );
  await expect.poll(listens, { timeout: 60_000, interval: 200 }).toBe(true);
  return front;
}

/** Returns the request ids that the server behind the proxy assigns when a client sends the same id each time. */
async function numbersBehind(
  front: Front,
  back: { seen: Record<string, string | string[] | undefined>[] },
): Promise<string[]> {
  back.seen.length = 0;
  for (let at = 0; at < 3; at++) await front.ask("/", { headers: { "x-request-id": SENT } });
  await front.close();
  const idOf = requestIds({ trustProxy: true });
  // Caddy's health checks also reach the servers.
  const asked = back.seen.filter(({ host }) => host === "twins.example.ru");
  expect(asked).toHaveLength(3);
  return asked.map((headers) => {
    const id = idOf({ headers });
    expect(id, "the server takes the proxy's number").toBe(headers["x-request-id"]);
    return id;
  });
}

async function startBack() {
  const seen: Record<string, string | string[] | undefined>[] = [];
  const provider = await startProvider(({ headers }, response) => {
    seen.push(headers);
    response.end("ok");
  });
  return { ...provider, seen };
}

/** Runs the example as shipped, except for paths, ports and the certificate. */
async function startNginx(backs: readonly string[]): Promise<Front> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=twins.example.ru", "-keyout", key, "-out", certificate, "-days", "1"];
  spawnSync("openssl", ["req", "-x509", ...curve, ...subject]);
  const [plain, tls] = [await freePort(), await freePort()];
  const site = join(folder, "site.conf");
  const second = /^ +# server 127\.0\.0\.1:3001 .*;$/m.exec(NGINX)![0];
  const example = NGINX.replace(/\/etc\/letsencrypt\S*fullchain\.pem/, certificate)
    .replace(/\/etc\/letsencrypt\S*privkey\.pem/, key)
    .replace("/var/log/nginx", folder)
    .replace("server 127.0.0.1:3000 ", `server ${backs[0]} `)
    .replace(second, backs.length > 1 ? second.replace("# ", "").replace("127.0.0.1:3001", backs[1]!) : "")
    .replaceAll(/^ *listen \[::\].*$/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${tls} `);
  writeFileSync(site, example);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`);
  const head = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`;
  writeFileSync(join(folder, "nginx.conf"), `${head} http { ${places.join(" ")} include ${site}; }`);
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  return frontOf(nginx, { tls: true, port: tls });
}

async function startCaddy(backs: readonly string[]): Promise<Front> {
  const port = await freePort();
  const env = { ...process.env, HOME: folder, SITE_HOST: `http://:${port}`, UPSTREAM: backs.join(" ") };
  const file = join(folder, "Caddyfile");
  // The site's address is a port here, not a name.
  const example = CADDY.replace("Host {$SITE_HOST}", "Host 127.0.0.1");
  writeFileSync(file, `{\n\tadmin off\n}\n${example}`);
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], { env, stdio: "ignore" });
  return frontOf(caddy, { tls: false, port });
}

const PROXIES = { nginx: startNginx, caddy: startCaddy };

describe.each(["nginx", "caddy"] as const)("%s (where it is installed)", (name) => {
  test.skipIf(!has(name))("runs the example and numbers requests anew", async () => {
    const back = await startBack();
    try {
      const ids = await numbersBehind(await PROXIES[name]([new URL(back.root).host]), back);
      expect(new Set([...ids, SENT]).size).toBe(ids.length + 1);
      if (name !== "nginx") return;
      const log = readFileSync(join(folder, "digital-twins.log"), "utf8");
      for (const id of ids) expect(log).toContain(id);
    } finally {
      await back.close();
    }
  });

  // Two embedded databases suffice: the requests need no row of either.
  test.skipIf(!has(name) || !("path" in inject("databaseSnapshot")))(
    "while the servers behind it are restarted in turn, reading never fails, and writing not more than once",
    async () => {
      const ports = [await freePort(), await freePort()];
      const start = async (port: number) => {
        const home = join(folder, `${name}-${port}`);
        const settings = { DATA_DIR: join(home, "data"), PORT: String(port), DEMO: "0", LOG_LEVEL: "error" };
        return startServer({ ...settings, ALLOWED_HOSTS: "twins.example.ru", REQUESTS_PER_MINUTE: "0" }, home);
      };
      for (const port of ports) {
        mkdirSync(join(folder, `${name}-${port}`));
        await prepareDataFolder(join(folder, `${name}-${port}`, "data"));
      }
      const servers = [await start(ports[0]!), await start(ports[1]!)];
      const front = await PROXIES[name](ports.map((port) => `127.0.0.1:${port}`));
      const counts = { asked: 0, repeated: { GET: 0, POST: 0, keyed: 0 }, failed: [] as string[] };
      const asOften = async (kind: "GET" | "POST" | "keyed", ask: () => Promise<number>) => {
        const answered = async () => {
          const status = await ask().catch((error: Error) => error.message);
          return typeof status === "number" && status < 500 ? null : `${kind} ${status}`;
        };
        counts.asked++;
        if ((await answered()) === null) return;
        counts.repeated[kind]++;
        // Imitates a client that retries after a pause.
        await pause(500);
        const again = await answered();
        if (again !== null) counts.failed.push(again);
      };
      let over = false;
      const post = (headers: Record<string, string> = {}) => {
        const body = { email: "nobody@example.test", password: "неверный пароль" };
        return front.ask("/api/auth/email/login", { method: "POST", body, headers });
      };
      const load = Array.from({ length: 2 }, async () => {
        while (!over) {
          await asOften("GET", () => front.ask("/api/config"));
          await asOften("POST", () => post());
          await asOften("keyed", () => post({ "idempotency-key": crypto.randomUUID() }));
          await pause(20);
        }
      });
      try {
        for (const at of [0, 1]) {
          const before = counts.asked;
          await expect.poll(() => counts.asked, { timeout: 60_000 }).toBeGreaterThan(before + 30);
          expect((await servers[at]!.end("SIGTERM")).code).toBe(0);
          const without = counts.asked;
          await expect.poll(() => counts.asked, { timeout: 60_000 }).toBeGreaterThan(without + 30);
          servers[at] = await start(ports[at]!);
          // Waits until the proxy marks the server as healthy again.
          await pause(2500);
        }
        over = true;
        await Promise.all(load);
        process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
        expect(counts.failed).toEqual([]);
        expect(counts.repeated.GET).toBe(0);
        if (name === "nginx") expect(counts.repeated.keyed).toBe(0);
      } finally {
        over = true;
        await Promise.all(load);
        await front.close();
        for (const server of servers) await server.end("SIGKILL");
      }
    },
    300_000,
  );
});
