import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { endGroups, run } from "./runtime.mjs";

test("ending a run ends what its programs have started, also what does not listen to SIGTERM", async () => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  // A child that is deaf to SIGTERM holds a connection for as long as it lives; its parent ends at once.
  const child = `process.on("SIGTERM", () => {}); require("node:net").connect(${port}, "127.0.0.1"); setInterval(() => {}, 1000);`;
  const parent = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" }).unref();`;
  const connected = once(server, "connection");
  await run(process.execPath, ["-e", parent], { group: true });
  const [socket] = await connected;
  const gone = once(socket, "close");
  socket.resume().on("error", () => {});
  await endGroups(200);
  await gone;
  server.close();
  expect(socket.destroyed).toBe(true);
});
