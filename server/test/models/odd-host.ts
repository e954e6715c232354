/**
 * A fake process of a model that misbehaves as its model's path tells it: it sends nonsense, ends, lacks a build, is slow or stays silent. With
 * `says [["text", "end"], …]` it gives these answers in turn and then repeats the last; `length` instead of `end` means a truncated answer.
 */
import type { HostRequest } from "#server/models/host/protocol.ts";

const DIGITS = "бвгджзкмнр";

let slow = false;
let mute = false;
let script: [string, "end" | "length"][] = [];
process.on("disconnect", () => process.exit(0));
process.on("message", (message: HostRequest) => {
  if (message.kind !== "load") {
    if (mute || message.kind === "cancel") return;
    const { id } = message;
    if (message.kind === "prefill") {
      process.send?.({ kind: "prefill", id, tokens: 0, anew: 0 });
      return;
    }
    if (message.kind === "generate" && slow) {
      // The answer is the length of the prompt.
      const asked = message.turns.reduce((sum, { content }) => sum + content.length, 0);
      setTimeout(() => {
        // Spelled in letters, because the check removes numbers that no source holds.
        process.send?.({
          kind: "delta",
          id,
          text: `${[...String(asked)].map((digit) => DIGITS[Number(digit)]).join("")}.`,
        });
        process.send?.({ kind: "done", id, stopped: "end", input: asked, output: 1 });
      }, 200);
      return;
    }
    if (message.kind === "generate" && script.length > 0) {
      const [text, stopped] = script.length > 1 ? script.shift()! : script[0]!;
      for (const piece of text.match(/[\s\S]{1,9}/g) ?? []) process.send?.({ kind: "delta", id, text: piece });
      process.send?.({ kind: "done", id, stopped, input: 1, output: 1 });
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
  if (odd?.startsWith("says ")) script = JSON.parse(odd!.slice(odd!.indexOf("[")));
  if (odd === "rubbish" || script.length > 0 || slow || mute) {
    const facts = {
      threads: 1,
      generator: { contextTokens: 32_768, parameters: 8e9 },
      embedder: null,
      reranker: null,
    };
    process.send?.({ kind: "ready", facts });
  }
});
