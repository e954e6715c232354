/** A sandboxed program that tries what it must not be able to do, and answers with what it could. Its question names two files. */
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { serveRequests } from "#server/platform/sandbox/serve-requests.ts";

interface Attempt {
  name: string;
  act: (paths: { secret: string; target: string }) => unknown;
}

const module = (name: string) => import(name) as Promise<Record<string, (...values: unknown[]) => unknown>>;

const ATTEMPTS: Attempt[] = [
  { name: "read a file", act: async ({ secret }) => (await module("node:fs")).readFileSync!(secret, "utf8") },
  { name: "write a file", act: async ({ target }) => (await module("node:fs")).writeFileSync!(target, "x") },
  { name: "start a program", act: async () => (await module("node:child_process")).execSync!("true") },
  { name: "start a thread", act: () => module("node:worker_threads") },
  { name: "open a connection", act: () => module("node:net") },
  { name: "ask a name server", act: () => module("node:dns") },
  { name: "ask a web server", act: () => module("node:http") },
  { name: "fetch", act: () => fetch("http://127.0.0.1:9") },
  { name: "reach a built-in part", act: () => process.getBuiltinModule("node:net") },
];

await serveRequests({ headerBytes: 10_000, bodyBytes: 0 }, async function* ({ header }) {
  const done: string[] = [];
  for (const { name, act } of ATTEMPTS) {
    try {
      await act(header as { secret: string; target: string });
      done.push(name);
    } catch {
      // As it should be.
    }
  }
  yield framePieces({ done, environment: Object.keys(process.env).sort() });
});
