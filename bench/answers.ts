// What a person gets who asks the demo twins: the server, its demo workspace and the questions of
// server/engine/samples/demo-questions.json over HTTP. Questions are split by a hash of their text: `dev` was looked at
// while the engine was made, `held` counted first and looked at once; `fresh` was written after that and only counted.
//   node bench/answers.ts BASE_URL [--show dev|held|fresh|bad|all]
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Asked {
  text: string;
  /** What the same person asked before. */
  after?: string[];
  /** asksback: what only the owner can look up; anything but a made-up state or a plain refusal is right. */
  kind: "fact" | "unknown" | "smalltalk" | "asksback" | "manner";
  expect: string | null;
  /** Written when the engine was done. */
  fresh?: boolean;
  /** A right answer to what is otherwise not known. */
  allow?: string;
}

interface Answer {
  response: string;
  basis: string;
  confidence: number;
  conversationId: string;
}

const root = join(import.meta.dirname, "..", "server");
const [base = "http://127.0.0.1:3000", , shown = ""] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), "utf8"));

async function call<T>(path: string, token: string | null, body?: unknown): Promise<T> {
  const answer = await fetch(base + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

function isRight({ kind, expect, allow }: Asked, { response, basis }: Answer): boolean {
  const matches = (pattern: string) => new RegExp(pattern, "iu").test(response);
  if (kind === "fact" || (kind === "manner" && expect !== null)) return expect !== null && matches(expect);
  if (kind === "unknown") return basis === "unknown" || (allow !== undefined && matches(allow));
  if (basis === "unknown" || basis === "knowledge") return kind === "manner" && basis === "knowledge";
  return expect === null || matches(expect);
}

const { token } = await call<{ token: string }>("/api/auth/telegram", null, {
  id: 123456789,
  first_name: "Test",
  last_name: "User",
  username: "testuser",
  photo_url: "",
});
const twins = await call<{ id: string; name: string }[]>("/api/digital-twins", token);
const own = (await readJson("engine/samples/demo-questions.json")) as Record<string, Asked[]>;
const shownInDemo = (await readJson("db/demo/questions.json")) as Record<string, Asked[]>;
const counts = new Map<string, { right: number; all: number }>();

for (const slug of Object.keys(own)) {
  const { name } = await readJson(`db/demo/${slug}/twin.json`);
  const twinId = twins.find((twin) => twin.name === name)!.id;
  for (const [set, list] of [
    ["demo", shownInDemo[slug]!],
    ["own", own[slug]!],
  ] as const) {
    for (const asked of list) {
      const held = createHash("sha256").update(`1 ${asked.text}`).digest()[0]! % 2 === 1;
      const part = set === "demo" ? "demo" : asked.fresh ? "fresh" : held ? "held" : "dev";
      let conversationId: string | undefined;
      for (const message of asked.after ?? []) {
        const before: Answer = await call("/api/ai-generate", token, { twinId, message, conversationId });
        conversationId = before.conversationId;
      }
      const answer: Answer = await call("/api/ai-generate", token, { twinId, message: asked.text, conversationId });
      const right = isRight(asked, answer);
      const key = `${part} · ${asked.kind}`;
      const count = counts.get(key) ?? { right: 0, all: 0 };
      counts.set(key, { right: count.right + Number(right), all: count.all + 1 });
      if (shown === "all" || shown === part || (shown === "bad" && !right && part !== "fresh"))
        say(
          `${right ? "ok " : "BAD"} ${part} ${asked.kind} | ${asked.text} → ${answer.response.replaceAll("\n", " ⏎ ")} | ${answer.basis} ${answer.confidence.toFixed(2)}`,
        );
    }
  }
}
for (const [key, { right, all }] of [...counts].sort()) say(`${key}: ${right} of ${all}`);
