import { existsSync } from "node:fs";
import { join } from "node:path";

const BUILDS: Partial<Record<string, string>> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "mac-x64",
  "darwin-arm64": "mac-arm64-metal",
  "win32-x64": "win-x64",
  "win32-arm64": "win-arm64",
};

/** Why local models cannot be tried here, for the title of what is skipped; null: they can. */
export function noLlama(): string | null {
  const system = `${process.platform}-${process.arch}`;
  const build = BUILDS[system];
  if (build === undefined) return `node-llama-cpp has no build for ${system}`;
  const folder = join(import.meta.dirname, "../../../node_modules/@node-llama-cpp", build);
  return existsSync(folder) ? null : `@node-llama-cpp/${build} is not installed`;
}
