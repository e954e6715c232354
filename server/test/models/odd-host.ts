/** A model's process that says what nobody could mean, ends, or has no build: as its model's path tells it. */
import type { HostRequest } from "#server/models/protocol.ts";

process.on("disconnect", () => process.exit(0));
process.on("message", (message: HostRequest) => {
  if (message.kind !== "load") {
    const id = message.id;
    process.send?.({ kind: "delta", id, text: 7 });
    return;
  }
  const odd = message.generator?.path;
  if (odd === "ends") process.exit(3);
  if (odd === "missing") process.send?.({ kind: "unable", missing: true, detail: "" });
  if (odd === "rubbish") {
    const facts = { threads: 1, generator: { contextTokens: 64 }, embedder: null, reranker: null };
    process.send?.({ kind: "ready", facts });
  }
});
