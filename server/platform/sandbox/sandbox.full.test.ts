/** Sandboxed programs that exceed their memory, and sandboxes whose server exits. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isAlive, prepareSandbox, programOf } from "#server/test/sandbox/sandbox-bench.ts";

prepareSandbox();

test.runIf(process.platform === "linux").each(["SIGKILL", "SIGTERM"] as const)(
  "a busy sandbox ends with its server, also one that is ended by %s",
  async (signal) => {
    const parent = spawn(process.execPath, [fileURLToPath(programOf("parent")), "hang"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    await once(parent, "exit");
    for (let tries = 0; isAlive(pid) && tries < 100; tries++) await pause(50);
    expect(isAlive(pid)).toBe(false);
  },
);
