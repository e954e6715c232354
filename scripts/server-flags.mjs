// How Node runs the server; benches measure it so.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./runtime.mjs";

const heapIsGiven = process.env.NODE_OPTIONS?.includes("--max-old-space-size") ?? false;

/** Node's own arguments, before the script. */
export const serverFlags = [
  // Loading the modules makes garbage that V8's default young generation keeps: 90 MB of an idle server.
  "--max-semi-space-size=8",
  // Ten times what is used. The less V8 has in view, the less it lets a heap grow before it clears up: 90 MB of an import.
  ...(heapIsGiven ? [] : ["--max-old-space-size=700"]),
  "--import",
  pathToFileURL(join(root, "server/platform/process/resolve-modules.ts")).href,
];

// Else the C library keeps large buffers for itself once they are freed: 70 MB after an import at its usual 128 KB, and as much again at 32,
// for each thread has an area of its own, and the buffers of 32 to 128 KB that V8's threads free leave holes in it.
export const serverEnvironment = { MALLOC_MMAP_THRESHOLD_: "32768" };
