// Another benchmark in a process of its own, its tables printed among ours: each ends with its models, and leaves no memory behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** @throws Error where it fails */
export async function runBench(file: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", file), ...parameters], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const stop = () => child.kill();
  process.once("exit", stop);
  const [code] = await once(child, "exit");
  process.off("exit", stop);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}
