// How Node runs the server; benches measure it so.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./runtime.mjs";

/** Node's own arguments, before the script. */
export const serverFlags = [
  // Loading the modules makes garbage that V8's default young generation keeps: 90 MB of an idle server.
  "--max-semi-space-size=8",
  // With less than 2 GB in view V8 lets a heap double instead of quadruple before it clears up: 70 MB of an import.
  "--max-old-space-size=1500",
  "--import",
  pathToFileURL(join(root, "server/db/drizzle-modules.ts")).href,
];

// Else the C library keeps large buffers for itself once they are freed: 70 MB after an import.
export const serverEnvironment = { MALLOC_MMAP_THRESHOLD_: "131072" };
