/** A process with a sandbox that never answers: for tests of its end. Prints the sandbox's pid. */
import { Sandbox } from "#server/platform/sandbox/sandbox.ts";

const sandbox = new Sandbox({
  file: new URL("misbehaving.ts", import.meta.url),
  memoryBytes: 1024 ** 3,
  answers: { headerBytes: 1000, bodyBytes: 1000 },
});
await sandbox.ready();
sandbox.send({ act: process.argv[2] });
process.stdout.write(`${sandbox.pid}\n`);
process.on("SIGTERM", () => process.exit(0));
setInterval(() => undefined, 1000);
