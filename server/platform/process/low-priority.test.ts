import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { BACKGROUND_PRIORITY } from "./low-priority.ts";
import { ThreadPool } from "./thread-pool.ts";

test.runIf(process.platform === "linux")(
  "a thread of background work has a lower priority, the rest of its process keeps its own",
  async () => {
    const file = new URL("../../test/processes/threads/lowers-priority.ts", import.meta.url);
    const pool = new ThreadPool<string, string>({ file, maxThreads: 1, idleTimeout: 1000 });
    expect(await pool.run("")).toBe(`${BACKGROUND_PRIORITY} ${getPriority(process.pid)}`);
  },
);
