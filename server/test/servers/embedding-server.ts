/** A local server of OpenAI's embeddings protocol. Its vectors are deterministic: they come from character n-grams and from the groups of texts that mean the same. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { PROBES } from "#server/knowledge/embeddings/embedding-scale.ts";
import { answer, startProvider } from "./provider-server.ts";

/** How the next request is answered. */
type EmbeddingBehaviour =
  | { kind: "ok" }
  | { kind: "error"; status: number; retryAfter?: number }
  | { kind: "hang" }
  | { kind: "one-too-few" }
  | { kind: "redirect"; to: string };

export interface EmbeddingServer {
  /** The base URL, which ends with /v1. */
  baseUrl: string;
  /** The texts of each request, in the order they came. */
  requests: { model: string; input: string[]; authorization: string | undefined }[];
  /** Behaviours for the next requests, one each; afterwards `usual`. */
  script(...behaviours: EmbeddingBehaviour[]): void;
  /** The behaviour for all other requests; `ok` unless a test changes it. */
  usual: EmbeddingBehaviour;
  /** What the server says that it has. */
  models: object[];
  /** Resolves when this many requests have come. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

const DIMENSIONS = 256;

/** @param alike groups of texts that mean the same, whatever their words: a text that contains one of a group belongs to it. */
export async function startEmbeddingServer(alike: readonly (readonly string[])[] = []): Promise<EmbeddingServer> {
  const groups = [...PROBES, ...alike];
  const queue: EmbeddingBehaviour[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const provider = await startProvider(({ method, path, headers, body }, response) => {
    if (path === "/v1/models" && method === "GET") {
      answer(response, 200, { data: started.models });
      return;
    }
    if (path !== "/v1/embeddings" || method !== "POST") {
      answer(response, 404, { error: { message: "unknown path" } });
      return;
    }
    const asked = JSON.parse(body) as { model: string; input: string[] };
    started.requests.push({ ...asked, authorization: headers.authorization });
    for (const { count, resolve } of waiting) if (started.requests.length >= count) resolve();
    behave(response, queue.shift() ?? started.usual, asked, groups);
  });
  const started: EmbeddingServer = {
    baseUrl: `${provider.root}/v1`,
    requests: [],
    usual: { kind: "ok" },
    models: [],
    script: (...behaviours) => queue.push(...behaviours),
    received: (count) =>
      started.requests.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: provider.close,
  };
  return started;
}

function behave(
  response: ServerResponse,
  behaviour: EmbeddingBehaviour,
  { model, input }: { model: string; input: string[] },
  groups: readonly (readonly string[])[],
): void {
  if (behaviour.kind === "hang") return;
  if (behaviour.kind === "redirect") {
    response.writeHead(307, { location: behaviour.to });
    response.end();
    return;
  }
  if (behaviour.kind === "error") {
    const { status, retryAfter } = behaviour;
    const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    answer(response, status, { error: { message: input.join(" ") } }, headers);
    return;
  }
  const texts = behaviour.kind === "one-too-few" ? input.slice(1) : input;
  answer(response, 200, {
    object: "list",
    model,
    data: texts.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text, model, groups) })),
    usage: { prompt_tokens: input.join("").length, total_tokens: input.join("").length },
  });
}

/** n-grams weigh less than meanings; another model has other directions for both. */
function vectorOf(text: string, model: string, groups: readonly (readonly string[])[]): number[] {
  const grams = new Float64Array(DIMENSIONS);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    for (let at = 0; at + 3 <= word.length + 2; at++)
      addDirection(grams, `${model} ${` ${word} `.slice(at, at + 3)}`, 1);
  }
  const length = Math.hypot(...grams) || 1;
  const vector = grams.map((value) => value / length);
  for (const [at, group] of groups.entries())
    if (group.some((member) => text.includes(member))) addDirection(vector, `${model} group ${at}`, 2);
  return [...vector];
}

function addDirection(vector: Float64Array, name: string, weight: number): void {
  const seed = createHash("sha256").update(name).digest();
  let state = seed.readUInt32LE(0);
  for (let at = 0; at < vector.length; at++) {
    // Xorshift (Marsaglia 2003) gives the same name the same direction everywhere.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at]! += (weight * ((state >>> 0) / 2 ** 31 - 1)) / Math.sqrt(vector.length / 3);
  }
}
