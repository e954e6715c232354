/** Why the real recogniser cannot be tested here; null: it can. */
import { createRequire } from "node:module";

export function noSherpa(): string | null {
  try {
    createRequire(import.meta.url)("sherpa-onnx-node");
    return null;
  } catch {
    return "sherpa-onnx has no build for this system, or it is not installed";
  }
}
