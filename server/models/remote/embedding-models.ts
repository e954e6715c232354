/** Asks a provider which of its models turn texts into vectors. No list need tell it, and each kind tells it in its own way. */
import type { RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { hostOf } from "./local-hosts.ts";
import { readJson } from "./read-json.ts";

/** Time limit of all requests together: a screen waits for them. */
const ASK_MS = 5000;
const MOST = 20;

interface Asked {
  preset: RemotePresetId;
  /** Base URL with the version. */
  baseUrl: string;
  /** Adds the provider's credentials. */
  send: typeof fetch;
}

/** Serves embeddings, but lists chat models alone. */
const KNOWN: Partial<Record<RemotePresetId, readonly string[]>> = { gigachat: ["Embeddings"] };

/** Returns their names, as a request names them; none where the provider does not tell. Never throws. */
export async function listEmbeddingModels({ preset, baseUrl, send }: Asked): Promise<string[]> {
  const base = baseUrl.replace(/(?<!\/)\/+$/, "");
  const signal = AbortSignal.timeout(ASK_MS);
  // OpenRouter lists them apart from those that write.
  const apart = /(?:^|\.)openrouter\.ai$/.test(hostOf(base));
  const read = await readJson(send, `${base}${apart ? "/embeddings" : ""}/models`, signal);
  const data = (read as { data?: unknown } | null)?.data;
  const listed = Array.isArray(data) ? data.filter((one) => apart || isEmbedder(one)).flatMap(nameOf) : [];
  return [...new Set([...listed, ...(listed.length === 0 ? (KNOWN[preset] ?? []) : [])])].slice(0, MOST);
}

const nameOf = (one: unknown): string[] => {
  const id = (one as { id?: unknown } | null)?.id;
  return typeof id === "string" && id.length <= 200 ? [id] : [];
};

/** By the type, where the list has one (Together, LM Studio, Mistral), else by the name: «text-embedding-3-small», «bge-m3». */
function isEmbedder(one: unknown): boolean {
  if (typeof one !== "object" || one === null) return false;
  const { id, type, capabilities } = one as { id?: unknown; type?: unknown; capabilities?: unknown };
  if (typeof type === "string" && /^embeddings?$/.test(type)) return true;
  if (typeof capabilities === "object" && capabilities !== null && "embeddings" in capabilities)
    return capabilities.embeddings === true;
  return typeof id === "string" && /embed|(?:^|[/-])(?:bge|e5|gte)-/i.test(id);
}
