/** Reads exports as no reader of ours does: what it is asked by the name of the file. */
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { serveRequests } from "#server/platform/sandbox/serve-requests.ts";

await serveRequests({ headerBytes: 1000, bodyBytes: 10_000 }, async function* ({ header, body }, ask) {
  const { question } = header as { question: number };
  const { files } = JSON.parse(body.toString()) as { files: { name: string }[] };
  const name = files[0]!.name;
  if (name === "ask beyond") await ask({ question, file: 7, at: 0, length: 10, total: 0 });
  if (name === "leave") process.exit(1);
  if (name === "forge") yield framePieces({ question, messages: true }, [Buffer.from('[["1", null, 5]]')]);
  if (name === "stop early") yield framePieces({ question, end: true });
  if (name === "refuse") {
    yield framePieces({ question, problem: { status: 500, code: "forged", message: "Forged" } });
    return;
  }
  for (;;);
});
