// `npm start` with NODE_ENV=production: what it says when something is missing, and what it needs when nothing is.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./free-port.mjs";
import { pinnedNode, root } from "./runtime.mjs";
import { serverPackages, WEB_PACKAGES } from "./server-packages.mjs";

const NOBODY = 65_534;

/** @type {string} */
let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-production-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("without what it needs, a start in production ends with 1 and one sentence, and calls no npm", () => {
  /** @type {string} */
  let code;
  /** @type {string} */
  let fakes;
  beforeAll(async () => {
    code = join(folder, "code");
    fakes = join(folder, "fakes");
    await Promise.all([mkdir(code), mkdir(fakes)]);
    await cp(join(root, "scripts"), join(code, "scripts"), { recursive: true });
    await cp(join(root, "package.json"), join(code, "package.json"));
    await writeFile(join(fakes, "npm"), `#!/bin/sh\ntouch ${join(folder, "npm-was-called")}\nexit 1\n`, {
      mode: 0o755,
    });
  });

  const start = (/** @type {Record<string, string>} */ environment) => {
    const env = { PATH: `${fakes}:/usr/bin:/bin`, ...environment };
    const { status, stdout } = spawnSync(pinnedNode, ["scripts/start.mjs"], { cwd: code, env, encoding: "utf8" });
    expect(existsSync(join(folder, "npm-was-called"))).toBe(false);
    expect(readdirSync(code)).not.toContain("data");
    return { status, stdout };
  };

  test("packages", async () => {
    const said = start({ NODE_ENV: "production" });
    expect(said).toEqual({ status: 1, stdout: expect.stringMatching(/^Не хватает пакета .*npm run build.*\n$/) });
    // The setting may stand in .env as well.
    await writeFile(join(code, ".env"), "NODE_ENV=production\n");
    expect(start({})).toEqual(said);
  });

  test("packages of the version that package.json asks for", async () => {
    const modules = join(code, "node_modules");
    for (const [name, version] of await serverPackages()) {
      await mkdir(join(modules, name), { recursive: true });
      await writeFile(join(modules, name, "package.json"), JSON.stringify({ version }));
    }
    await writeFile(join(modules, "fastify", "package.json"), JSON.stringify({ version: "4.0.0" }));
    expect(start({ NODE_ENV: "production" }).stdout).toMatch(/^Не хватает пакета fastify 5\.\d+\.\d+ в .*\n$/);
    await rm(modules, { recursive: true });
  });

  test("the built web", async () => {
    await symlink(join(root, "node_modules"), join(code, "node_modules"));
    expect(start({ NODE_ENV: "production" })).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^Не хватает собранного интерфейса в .*dist\/web: выполните «npm run build» .*\n$/),
    });
    await rm(join(code, "node_modules"));
  });
});

/** Why the server cannot be started here as it is in production; null when it can. */
function whyNot() {
  if (process.getuid?.() !== 0) return "нужен root: тест становится другим пользователем и закрывает папку от записи";
  if (!existsSync(join(root, "dist/web/index.html"))) return "интерфейс не собран: npm run build";
  const tried = spawnSync("unshare", ["-n", "-m", "sh", "-c", "mount --bind . . && ip link set lo up"], { cwd: root });
  return tried.status === 0 ? null : "unshare, mount или ip здесь не работают";
}

/**
 * Shows the code folder read-only at a place that everybody reaches, as it may lie in somebody's private folder, leaves only the loopback of
 * a network, and becomes somebody who owns neither.
 */
const APART = `mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && ip link set lo up &&
exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$2/$3" "$2/scripts/start.mjs"`;

const reason = whyNot();
test.skipIf(reason !== null)(
  `a server in production runs from a read-only folder, without network, as a user that owns nothing of it${reason === null ? "" : ` (${reason})`}`,
  async () => {
    const home = await mkdtemp(join(folder, "home-"));
    const code = await mkdtemp(join(folder, "read-only-"));
    const data = join(home, "data");
    await chmod(code, 0o755);
    await chown(home, NOBODY, NOBODY);
    const key = join(home, "master-key");
    await writeFile(key, `${Buffer.alloc(32, 3).toString("base64")}\n`);
    const port = await freePort();
    const env = {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      PUBLIC_URL: "https://twins.example.ru",
      SMTP_URL: "smtp://127.0.0.1:1",
      MASTER_KEY_FILE: key,
      DATA_DIR: data,
    };
    const server = spawn("unshare", ["-n", "-m", "sh", "-c", APART, "start", root, code, relative(root, pinnedNode)], {
      cwd: home,
      env,
    });
    let said = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (chunk) => {
        said += chunk;
      });
    }
    const ended = once(server, "close");
    const inside = (/** @type {string[]} */ ...command) =>
      spawnSync("nsenter", ["-t", String(server.pid), "-n", "-m", ...command], { encoding: "utf8" });
    const ask = (/** @type {string} */ path) => {
      const program = `const r = await fetch("http://127.0.0.1:${port}${path}"); console.log(r.status, await r.text())`;
      return inside(pinnedNode, "--input-type=module", "-e", program).stdout;
    };
    try {
      await expect.poll(() => said, { timeout: 180_000, interval: 200 }).toMatch(/Цифровые двойники: http/);
      expect(ask("/readyz")).toMatch(/^200 /);
      expect(ask("/")).toMatch(/^200 [\s\S]*<html lang="ru"/);
      // Root itself could not write there, so nothing of the server has.
      expect(inside("touch", join(code, "written")).status).toBe(1);
      const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
      expect(status).toMatch(new RegExp(`^Uid:\\s+${NOBODY}\\s`, "m"));
      expect(readdirSync(data).sort()).toEqual(expect.arrayContaining(["cache", "database"]));
    } finally {
      server.kill("SIGTERM");
      await ended;
    }
    expect(server.exitCode, said).toBe(0);
  },
  240_000,
);

test("the packages that only the web's build needs are exactly those that no file of the server imports", async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const sources = ["server", "contract"].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("test/"))
      .map((file) => readFileSync(join(root, place, file), "utf8")),
  );
  const imported = new Set(
    sources
      .flatMap((text) => [...text.matchAll(/(?:\bfrom |\bimport |\b(?:import|resolve)\()"([^"]+)"/g)])
      .map(([, path]) => packageOf(path)),
  );
  const unused = Object.keys(dependencies).filter((name) => name !== "node" && !imported.has(name));
  expect(unused).toEqual(WEB_PACKAGES);
});

/** @param {string | undefined} path */
const packageOf = (path = "") =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
