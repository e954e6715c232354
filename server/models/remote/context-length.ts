/** Asks a model's server for the length of its context. No server must tell it, and each kind tells it in its own place. */

import type { Currency } from "#contract/models/remote-model-presets.ts";

import { hostOf } from "./local-hosts.ts";
import { readJson } from "./read-json.ts";

/** Time limit of all requests together: an answer waits for them. */
const ASK_MS = 2000;
/** A smaller number is no context of a chat model. */
const SHORTEST = 512;
/** Ollama reads so much of a prompt, whatever the model can, unless its operator has set more (OLLAMA_CONTEXT_LENGTH). */
const OLLAMA_DEFAULT = 4096;

/** What one prompt may cost beyond the usual length, in millionths of the currency. */
const MOST_PER_PROMPT: Record<Currency, number> = { RUB: 3_000_000, USD: 30_000 };

/** Returns the tokens of a prompt that its price allows; undefined when no price is known. @param inputPrice of 1,000 tokens, in millionths */
export function promptTokensFor(inputPrice: number | null, currency: Currency): number | undefined {
  if (inputPrice === null) return undefined;
  return inputPrice === 0 ? Number.POSITIVE_INFINITY : Math.floor((MOST_PER_PROMPT[currency] / inputPrice) * 1000);
}

export interface ContextLength {
  tokens: number;
  /** Whether the server has told it; otherwise it is what such servers read by default, and may be asked again later. */
  told: boolean;
  /** Whether the operator can raise it by a setting of Ollama's. */
  isOllama?: true;
}

/** GigaChat and Yandex, whose lists do not tell it; each request would only renew a token. */
const SILENT = /(?:^|\.)(?:sberbank\.ru|yandex\.net)$/;

interface Asked {
  /** Base URL with the version. */
  baseUrl: string;
  model: string;
  /** Adds the provider's credentials. */
  send: typeof fetch;
  /** Whether the server is somebody else's: such a server has only the provider's public API. */
  foreign: boolean;
}

/** Returns null when the server does not tell. Never throws. */
export async function askContextLength({ baseUrl, model, send, foreign }: Asked): Promise<ContextLength | null> {
  if (SILENT.test(hostOf(baseUrl))) return null;
  const base = baseUrl.replace(/(?<!\/)\/+$/, "");
  const root = base.replace(/\/v\d+$/, "");
  const signal = AbortSignal.timeout(ASK_MS);
  const read = (url: string) => readJson(send, url, signal);
  const told = (tokens: number | null): ContextLength | null => (tokens === null ? null : { tokens, told: true });
  if (!foreign) {
    const running = listIn(await read(`${root}/api/ps`), "models");
    if (running !== null) {
      const loaded = running.find((one) => one.model === model || one.name === model);
      const tokens = lengthIn(loaded ?? {}, ["context_length"]);
      return { tokens: tokens ?? OLLAMA_DEFAULT, told: tokens !== null, isOllama: true };
    }
    const settings = objectIn(objectIn(await read(`${root}/props`)).default_generation_settings);
    const ofLlamaCpp = told(lengthIn(settings, ["n_ctx"]));
    if (ofLlamaCpp !== null) return ofLlamaCpp;
    const ofLmStudio = listIn(await read(`${root}/api/v0/models`), "data")?.find(({ id }) => id === model);
    const loaded = told(lengthIn(ofLmStudio ?? {}, ["loaded_context_length"]));
    if (loaded !== null) return loaded;
  }
  const listed = listIn(await read(`${base}/models`), "data")?.find(({ id }) => id === model);
  return told(lengthIn(listed ?? {}, LISTED));
}

/** vLLM; OpenRouter, Together; Groq; Mistral. */
const LISTED = ["max_model_len", "context_length", "context_window", "max_context_length"];

type Read = Record<string, unknown>;

const objectIn = (value: unknown): Read => (typeof value === "object" && value !== null ? (value as Read) : {});

function listIn(value: unknown, field: string): Read[] | null {
  const list = objectIn(value)[field];
  return Array.isArray(list) ? list.map(objectIn) : null;
}

function lengthIn(one: Read, fields: readonly string[]): number | null {
  const found = fields.map((field) => one[field]).find((value) => typeof value === "number");
  return typeof found === "number" && Number.isInteger(found) && found >= SHORTEST ? found : null;
}
