/**
 * The model process: the only program that loads node-llama-cpp. The server tells it what to load and do; it runs one generation at a time
 * and exits with the server.
 */
import type { HostAnswer, HostRequest } from "../protocol.ts";
import { type LoadedModels, loadModels } from "./load.ts";

const ALIVE_MS = 500;

const say = (answer: HostAnswer): void => {
  process.send?.(answer);
};

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches this process too, but the server decides when it exits.
process.on("SIGINT", () => undefined);
setInterval(() => say({ kind: "alive" }), ALIVE_MS);

let models: LoadedModels | null = null;
const running = new Map<number, AbortController>();

process.on("message", (message: HostRequest) => void take(message));

async function take(request: HostRequest): Promise<void> {
  if (request.kind === "cancel") {
    running.get(request.id)?.abort();
    return;
  }
  if (request.kind === "load") {
    const loaded = await loadModels(request);
    if ("unable" in loaded) {
      // The message must reach the server before the process exits.
      process.send?.(loaded.unable, () => process.exit(0));
      return;
    }
    models = loaded;
    say({ kind: "ready", facts: loaded.facts });
    return;
  }
  const { id, ...task } = request;
  const given = new AbortController();
  running.set(id, given);
  try {
    if (models === null) throw new Error("nothing is loaded");
    say({ id, ...(await models.run(task, given.signal, (text) => say({ kind: "delta", id, text }))) });
  } catch (error) {
    // Only the error's name, because its message may quote the prompt.
    const detail = error instanceof Error ? error.name : "unknown";
    say(given.signal.aborted ? { kind: "cancelled", id } : { kind: "failed", id, detail });
  } finally {
    running.delete(id);
  }
}
