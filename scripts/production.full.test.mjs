// `npm start` with NODE_ENV=production from a read-only folder, as a user without rights.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./free-port.mjs";
import { pinnedNode, root } from "./runtime.mjs";

const NOBODY = 65_534;

/** @type {string} */
let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-production-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Why the server cannot be started here as it is in production; null when it can. */
function whyNot() {
  if (process.getuid?.() !== 0) return "нужен root: тест становится другим пользователем и закрывает папку от записи";
  if (!existsSync(join(root, "dist/web/index.html"))) return "интерфейс не собран: npm run build";
  const tried = spawnSync("unshare", ["-n", "-m", "sh", "-c", "mount --bind . . && ip link set lo up"], { cwd: root });
  return tried.status === 0 ? null : "unshare, mount или ip здесь не работают";
}

/**
 * Shows the code folder read-only at a place that everybody reaches, because it may lie in a user's private folder, leaves only the
 * loopback of a network, and becomes somebody who owns neither.
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
