/** The examples of proxies, run in front of a server where they are installed; else read. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { requestIds } from "#server/http/request-id.ts";
import { startProvider } from "#server/test/servers/provider-server.ts";

// The scripts are plain JavaScript outside this project's types.
const script = new URL("../../scripts/free-port.mjs", import.meta.url).href;
const { freePort } = (await import(script)) as { freePort: () => Promise<number> };

const DEPLOY = join(import.meta.dirname, "../../deploy");
const NGINX = readFileSync(join(DEPLOY, "nginx/digital-twins.conf"), "utf8");
const CADDY = readFileSync(join(DEPLOY, "Caddyfile"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "dt-proxies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

test("each example gives a request a number of its own, in place of one that the client has sent", () => {
  expect(NGINX).toMatch(/^\s+proxy_set_header X-Request-Id \$request_id;$/m);
  expect(CADDY).toMatch(/^\s+header_up X-Request-Id \{http\.request\.uuid\}$/m);
});

const SENT = "11111111-2222-4333-8444-555555555555";

/** What the server behind the proxy calls three requests of a client that names them all alike. */
async function numbersBehind(
  front: { tls: boolean; port: number },
  back: { seen: Record<string, string | string[] | undefined>[] },
  proxy: ChildProcess,
): Promise<string[]> {
  const options = {
    ...{ host: "127.0.0.1", port: front.port, rejectUnauthorized: false },
    headers: { host: "twins.example.ru", "x-request-id": SENT },
  };
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const asked = (front.tls ? requestTls : requestPlain)(options, (answer) => {
        answer.resume().on("end", resolve);
      });
      asked.on("error", reject).end();
    });
  try {
    // The proxy needs a moment to listen.
    await expect
      .poll(
        () =>
          ask().then(
            () => true,
            () => false,
          ),
        { timeout: 60_000, interval: 200 },
      )
      .toBe(true);
    await ask();
    await ask();
  } finally {
    proxy.kill("SIGTERM");
    await once(proxy, "exit");
  }
  const idOf = requestIds({ trustProxy: true });
  return back.seen.map((headers) => {
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

test.skipIf(!has("nginx"))("nginx runs the example and numbers requests anew (where it is installed)", async () => {
  const back = await startBack();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=twins.example.ru", "-keyout", key, "-out", certificate, "-days", "1"];
  spawnSync("openssl", ["req", "-x509", ...curve, ...subject]);
  const [plain, tls] = [await freePort(), await freePort()];
  const site = join(folder, "site.conf");
  const example = NGINX.replace(/\/etc\/letsencrypt\S*fullchain\.pem/, certificate)
    .replace(/\/etc\/letsencrypt\S*privkey\.pem/, key)
    .replace("/var/log/nginx", folder)
    .replace("127.0.0.1:3000", new URL(back.root).host)
    .replaceAll(/^ *listen \[::\].*$/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${tls} `);
  writeFileSync(site, example);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`);
  const head = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`;
  writeFileSync(join(folder, "nginx.conf"), `${head} http { ${places.join(" ")} include ${site}; }`);
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  try {
    const ids = await numbersBehind({ tls: true, port: tls }, back, nginx);
    expect(new Set([...ids, SENT]).size).toBe(ids.length + 1);
    const log = readFileSync(join(folder, "digital-twins.log"), "utf8");
    for (const id of ids) expect(log).toContain(id);
  } finally {
    await back.close();
  }
});

test.skipIf(!has("caddy"))("Caddy runs its file and numbers requests anew (where it is installed)", async () => {
  const back = await startBack();
  const port = await freePort();
  const env = { ...process.env, HOME: folder, SITE_HOST: `http://:${port}`, UPSTREAM: new URL(back.root).host };
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n}\n${CADDY}`);
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], { env, stdio: "ignore" });
  try {
    const ids = await numbersBehind({ tls: false, port }, back, caddy);
    expect(new Set([...ids, SENT]).size).toBe(ids.length + 1);
  } finally {
    await back.close();
  }
});
