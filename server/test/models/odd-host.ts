/** A model's process that says what nobody could mean, ends, has no build, is slow or says nothing: as its model's path tells it. */
import type { HostRequest } from "#server/models/protocol.ts";

const DIGITS = "бвгджзкмнр";

let slow = false;
let mute = false;
process.on("disconnect", () => process.exit(0));
process.on("message", (message: HostRequest) => {
  if (message.kind !== "load") {
    if (mute) return;
    const { id } = message;
    if (message.kind === "generate" && slow) {
      // How much it was asked.
      const asked = message.turns.reduce((sum, { content }) => sum + content.length, 0);
      setTimeout(() => {
        // In letters: a number without a source would be cut.
        process.send?.({
          kind: "delta",
          id,
          text: `${[...String(asked)].map((digit) => DIGITS[Number(digit)]).join("")}.`,
        });
        process.send?.({ kind: "done", id, stopped: "end", input: asked, output: 1 });
      }, 200);
      return;
    }
    process.send?.({ kind: "delta", id, text: 7 });
    return;
  }
  const odd = message.generator?.path;
  if (odd === "ends") process.exit(3);
  if (odd === "missing") process.send?.({ kind: "unable", missing: true, detail: "" });
  slow = odd === "slow";
  mute = odd === "mute";
  if (odd === "rubbish" || slow || mute) {
    const facts = { threads: 1, generator: { contextTokens: 32_768 }, embedder: null, reranker: null };
    process.send?.({ kind: "ready", facts });
  }
});
