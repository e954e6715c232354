import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { monitorEventLoop, runLabelled } from "./event-loop-monitor.ts";

test("the log names what blocked the event loop, and for how long", async () => {
  const lines: { heldMs: number; cpuMs: number; underWay: string[]; msg: string }[] = [];
  const stop = monitorEventLoop(createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) }), {
    lookMs: 10,
    longMs: 1_000,
  });
  await sleep(30);
  await runLabelled("job train-twin", () => sleep(30));
  lines.length = 0;
  await runLabelled("GET /api/slow", async () => {
    // CPU time of the thread: on a busy machine the wall time is longer, but the loop is blocked no less.
    const before = process.threadCpuUsage();
    const used = () => process.threadCpuUsage(before).user / 1000;
    const until = performance.now() + 1_100;
    while (performance.now() < until || used() < 50);
  });
  await sleep(50);
  stop();
  const [line] = lines;
  expect(line!.msg).toBe("the event loop was held");
  // The latest comes first: on a busy machine, work that ended just before is listed after it.
  expect(line!.underWay[0]).toMatch(/^GET \/api\/slow \(\d+ ms\)$/);
  expect(line!.heldMs).toBeGreaterThanOrEqual(1_000);
  expect(line!.cpuMs).toBeGreaterThan(40);
});
