import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 for a process that gets its port as a setting and listens only after a while. It is below those that systems assign
 * automatically (32768 and more on Linux, 49152 elsewhere): a connection that somebody makes meanwhile does not take it.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
