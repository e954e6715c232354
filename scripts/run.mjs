// Runs a tool of node_modules on the pinned Node 24, whatever Node started npm: `node scripts/run.mjs TOOL ARGS…`.
// npm puts node_modules/.bin first, but the tools' own «#!/usr/bin/env node» lines and child processes must find it as well.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, InstallationError } from "./install.mjs";
import { NotReady, preparedNode, productionCache } from "./production.mjs";
import { root, say, toolEnvironment } from "./runtime.mjs";

const [tool, ...args] = process.argv.slice(2);
if (!tool) {
  say("node scripts/run.mjs TOOL ARGS…");
  process.exit(2);
}
// The product's own commands are run so as well, beside a server that nothing is installed under.
const production = process.env.NODE_ENV === "production";
try {
  await (production ? preparedNode() : ensureInstalled({ dev: true }));
} catch (error) {
  if (!(error instanceof InstallationError || error instanceof NotReady)) throw error;
  say(error.message);
  process.exit(1);
}
const child = spawn(join(root, "node_modules", ".bin", tool), args, {
  stdio: "inherit",
  env: toolEnvironment(production ? productionCache() : {}),
  shell: process.platform === "win32",
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
