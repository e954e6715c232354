import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestFaults, LEFT_OUT } from "./lock-digests.mjs";

const lock = JSON.parse(await readFile(join(import.meta.dirname, "../package-lock.json"), "utf8"));
const machine = { os: "linux", cpu: "x64", libc: "glibc" };

test("every package of the lock has a digest, but the builds that our registry does not have", () => {
  expect(digestFaults(lock.packages)).toEqual([]);
});

test("an optional build for a system without a digest is no automatic exception: a new one fails", () => {
  const packages = { "node_modules/a-darwin": { version: "1.0.0", optional: true, os: ["darwin"] } };
  expect(digestFaults(packages, [], machine)).toEqual([
    "Нет контрольной суммы: a-darwin@1.0.0 (node_modules/a-darwin)",
  ]);
  expect(digestFaults(packages, ["a-darwin@1.0.0"], machine)).toEqual([]);
  // Another version is another archive.
  expect(digestFaults(packages, ["a-darwin@0.9.0"], machine)).toHaveLength(2);
});

test("what is installed here is excused by no list", () => {
  const here = {
    "node_modules/x/node_modules/@b/linux": { version: "1.0.0", optional: true, os: ["linux"], cpu: ["x64"] },
  };
  expect(digestFaults(here, ["@b/linux@1.0.0"], machine)).toEqual([
    "Ставится здесь без контрольной суммы: @b/linux@1.0.0",
  ]);
  const needed = { "node_modules/c": { version: "1.0.0", os: ["darwin"] } };
  expect(digestFaults(needed, ["c@1.0.0"], machine)).toEqual(["Ставится здесь без контрольной суммы: c@1.0.0"]);
});

test("a listed package that has its digest by now, or is gone, is to leave the list", () => {
  const packages = { "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } };
  expect(digestFaults(packages, ["a@1.0.0"], machine)).toEqual(["Лишняя строка в scripts/lock-digests.mjs: a@1.0.0"]);
});

test("builds for graphics cards are in no installation", () => {
  const builds = Object.entries(lock.packages).filter(([path]) => path.startsWith("node_modules/@node-llama-cpp/"));
  const leftOut = builds.filter(([, { os }]) => os.includes("none"));
  expect(leftOut.map(([path, { version }]) => `${path.slice("node_modules/".length)}@${version}`)).toEqual(LEFT_OUT);
  const installed = builds.filter(([, { version }]) => version !== "0.0.0").map(([path]) => path.split("/").at(-1));
  expect(installed).toEqual(["linux-arm64", "linux-x64", "mac-arm64-metal", "mac-x64", "win-arm64", "win-x64"]);
});
