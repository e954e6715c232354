// Runs a tool of node_modules on the pinned Node 24, whatever Node started npm: `node scripts/run.mjs TOOL ARGS…`.
// npm puts node_modules/.bin first, but the tools' own «#!/usr/bin/env node» lines and child processes must find it as well.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

const bin = join(import.meta.dirname, "..", "node_modules", ".bin");
const [tool, ...args] = process.argv.slice(2);
const child = spawn(join(bin, tool), args, {
  stdio: "inherit",
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  shell: process.platform === "win32",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
