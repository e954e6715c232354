/** Programs in the sandbox. */
import { afterEach, vi } from "vitest";
import type { Sandbox } from "#server/platform/sandbox/sandbox.ts";

export const programOf = (name: string) => new URL(`../processes/sandbox/${name}.ts`, import.meta.url);
export const open: Sandbox[] = [];

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareSandbox(): void {
  afterEach(async () => {
    for (const sandbox of open.splice(0)) {
      sandbox.end();
      await sandbox.gone;
    }
    vi.unstubAllEnvs();
  });
}
