// `npm run dev`: the server restarts when its files change (PORT, 3000 when absent), Vite serves the browser's half with
// hot reload (WEB_PORT, 5173 when absent) and passes /api on. Ctrl+C ends both; so does the end of either.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, InstallationError } from "./install.mjs";
import { onParentGone } from "./parent-watchdog.mjs";
import { root, say, toolEnvironment } from "./runtime.mjs";

const port = process.env.PORT || "3000";
const webPort = process.env.WEB_PORT || "5173";

try {
  serve(await ensureInstalled({ dev: true }));
} catch (error) {
  if (!(error instanceof InstallationError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

/** @param {string} node */
function serve(node) {
  const origin = `http://127.0.0.1:${port}`;
  // Links in letters and redirects must lead to the page that the developer has open.
  const publicUrl = process.env.PUBLIC_URL || `http://localhost:${webPort}`;
  const env = toolEnvironment({ PORT: port, PUBLIC_URL: publicUrl, API_ORIGIN: origin });
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const children = [
    spawn(node, ["--watch", "--watch-preserve-output", join(root, "server", "main.ts")], {
      stdio: "inherit",
      env,
      cwd: root,
    }),
    spawn(node, [vite, "--port", webPort, "--strictPort", "--clearScreen", "false"], {
      stdio: "inherit",
      env,
      cwd: root,
    }),
  ];
  let stopping = false;
  const stop = (/** @type {number} */ code) => {
    if (stopping) return;
    stopping = true;
    process.exitCode = code;
    for (const child of children) child.kill("SIGTERM");
  };
  for (const child of children) child.on("exit", (code) => stop(code ?? 0));
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => stop(0));
  onParentGone(() => stop(0));
  say(`Разработка: интерфейс http://localhost:${webPort}, сервер ${origin}. Ctrl+C останавливает оба.`);
}
