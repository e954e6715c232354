import { expect, test, vi } from "vitest";
import { adaptThreadsToLoad, type CpuTimes } from "./spare-cores.ts";

/** Simulates a machine of `cores`, sampled every half second: how many cores other processes and the model process use. */
function machine(cores: number) {
  vi.useFakeTimers();
  const times: CpuTimes = { busyMs: 0, ownMs: 0, atMs: 0 };
  const llama = { maxThreads: 0 };
  const end = adaptThreadsToLoad(llama, cores, () => ({ ...times }));
  const pass = (others: number, own: number, looks = 1): number[] =>
    Array.from({ length: looks }, () => {
      times.atMs += 500;
      times.busyMs += 500 * (others + own);
      times.ownMs += 500 * own;
      vi.advanceTimersByTime(500);
      return llama.maxThreads;
    });
  return {
    llama,
    pass,
    [Symbol.dispose]: () => {
      end();
      vi.useRealTimers();
    },
  };
}

test("all cores are taken once other processes have been idle for a second and a half, however much the model does itself", () => {
  using two = machine(2);
  expect(two.llama.maxThreads).toBe(1);
  expect(two.pass(0.05, 1, 5)).toEqual([1, 1, 2, 2, 2]);
  expect(two.pass(0.05, 2, 2)).toEqual([2, 2]);
});

test("a core is given back at the first sign of others' work, and is not taken in the gaps between their requests", () => {
  using two = machine(2);
  two.pass(0, 1, 4);
  expect(two.pass(0.4, 1.6)).toEqual([1]);
  expect([0, 0, 0.3, 0, 0, 0.3].flatMap((others) => two.pass(others, 1))).toEqual([1, 1, 1, 1, 1, 1]);
});

test("a machine of one core has one thread, one of eight never less than seven", () => {
  using one = machine(1);
  expect(one.pass(0, 1, 5)).toEqual([1, 1, 1, 1, 1]);
  using eight = machine(8);
  expect(eight.pass(7, 0, 3)).toEqual([7, 7, 7]);
  expect(eight.pass(0, 7, 3)).toEqual([7, 7, 8]);
});
