// `npm start`: installs what is missing, builds the web when it changed, then runs the server on Node 24. In production it only runs.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { buildFailure, buildWeb } from "./build-web.mjs";
import { ensureInstalled, InstallationError } from "./install.mjs";
import { onParentGone } from "./parent-watchdog.mjs";
import { NotReady, preparedNode, productionCache } from "./production.mjs";
import { root, say, stopRunning, toolEnvironment } from "./runtime.mjs";
import { serverEnvironment, serverFlags } from "./server-flags.mjs";

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.once(signal, () => {
    stopRunning(signal);
    process.exit(128 + constants.signals[signal]);
  });
}

// The server reads the same file later; whether this is production may stand in it. Node knows the call from 20.12 on.
if (existsSync(".env")) process.loadEnvFile?.(".env");
try {
  if (process.env.NODE_ENV === "production") serve(await preparedNode(), productionCache());
  else await buildAndServe();
} catch (error) {
  if (!(error instanceof InstallationError || error instanceof NotReady)) throw error;
  fail(error.message);
}

async function buildAndServe() {
  const node = await ensureInstalled({ dev: false });
  const build = await buildWeb(node);
  if (build.code === 0) serve(node);
  else fail(buildFailure(build));
}

/**
 * @param {string} node
 * @param {Record<string, string>} [environment]
 */
function serve(node, environment = {}) {
  const server = spawn(node, [...serverFlags, join(root, "server", "main.ts"), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...serverEnvironment, ...toolEnvironment(environment) },
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.removeAllListeners(signal);
    // At a terminal Ctrl+C reaches the server directly, and npm passes it on once more: one signal is enough.
    process.on(signal, () => {
      if (!server.killed && !(signal === "SIGINT" && process.stdin.isTTY)) server.kill(signal);
    });
  }
  onParentGone(() => server.kill("SIGTERM"));
  server.on("error", (error) => fail(`Не удалось запустить сервер: ${error.message}`));
  server.on("exit", (code, signal) => process.exit(code ?? (signal ? 128 + constants.signals[signal] : 1)));
}

/** @param {string} text */
function fail(text) {
  say(text);
  process.exitCode = 1;
}
