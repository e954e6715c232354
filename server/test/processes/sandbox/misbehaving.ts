/** A sandboxed program that misbehaves on command. */
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { serveRequests } from "#server/platform/sandbox/serve-requests.ts";

await serveRequests({ headerBytes: 1000, bodyBytes: 1000 }, async function* ({ header }) {
  const { act } = header as { act: "leave" | "hang" | "hoard" | "hoard in one piece" | "talk" | "answer" };
  if (act === "leave") process.exit(1);
  if (act === "hang") for (;;);
  if (act === "hoard") for (const kept: Buffer[] = []; ; ) kept.push(Buffer.alloc(8 * 1024 ** 2, 1));
  if (act === "hoard in one piece") Buffer.alloc(3 * 1024 ** 3, 1);
  if (act === "talk") {
    // biome-ignore lint/suspicious/noConsole: libraries print where answers go.
    console.log("A library prints.");
    yield framePieces({}, [Buffer.alloc(5000)]);
  }
  yield framePieces({ answered: true });
});
