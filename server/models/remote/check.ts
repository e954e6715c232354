/** «Проверить»: requests a few tokens and describes a failure in one sentence. */

import type { RemoteCheck, RemoteProblem } from "#contract/models/remote-model.ts";
import type { RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { CHECK_ANSWER_TOKENS, CHECK_ESTIMATE, CHECK_QUESTION, type CheckUsage } from "./check-cost.ts";
import { askContextLength, type ContextLength } from "./context-length.ts";
import { problemOfAnswer, problemOfFailure, sentenceOf } from "./explain.ts";

/** Time limit of the whole check; a server that still loads its model takes long. */
const CHECK_MS = 20_000;
const MAX_ANSWER = 200_000;

interface Checked {
  preset: RemotePresetId;
  baseUrl: string;
  model: string;
  /** Adds the provider's credentials (authorized-fetch.ts). */
  send: typeof fetch;
  /** Whether the server is somebody else's. */
  foreign: boolean;
  timeoutMs?: number;
  /** Called once if a model was reached: with the server's token counts, or with the estimate if it reports none or did not finish. */
  tellCost?: (usage: CheckUsage) => void;
}

export async function checkRemoteModel(asked: Checked): Promise<RemoteCheck> {
  const { preset, baseUrl, model, send, foreign, timeoutMs, tellCost = () => undefined } = asked;
  const began = performance.now();
  const passed = () => Math.round(performance.now() - began);
  const told = (problem: RemoteProblem): RemoteCheck => ({
    ...{ problem, sentence: sentenceOf(problem, preset, new URL(baseUrl).host), milliseconds: passed(), tokens: null },
    contextTokens: null,
  });
  try {
    const answer = await send(`${baseUrl.replace(/(?<!\/)\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        model,
        messages: [{ role: "user", content: CHECK_QUESTION }],
        max_tokens: CHECK_ANSWER_TOKENS,
        stream: false,
      }),
      signal: AbortSignal.timeout(timeoutMs ?? CHECK_MS),
    });
    const body = await beginningOf(answer);
    if (!answer.ok) return told(problemOfAnswer(answer.status, body));
    const completion = completionOf(body);
    if (completion === null) return told("protocol");
    if (completion.error !== undefined) return told(problemOfAnswer(completion.status, body));
    tellCost(completion.usage ?? CHECK_ESTIMATE);
    const milliseconds = passed();
    const context = SILENT.has(preset) ? null : await askContextLength({ baseUrl, model, send, foreign });
    return {
      ...{ problem: null, sentence: goodSentence(milliseconds, context), milliseconds, tokens: completion.tokens },
      contextTokens: context?.tokens ?? null,
    };
  } catch (error) {
    const problem = problemOfFailure(error);
    // The model may have read the question and may still be generating, which costs tokens.
    if (problem === "timeout") tellCost(CHECK_ESTIMATE);
    return told(problem);
  }
}

/** Providers whose lists of models do not tell the context. */
const SILENT: ReadonlySet<RemotePresetId> = new Set(["gigachat", "yandexgpt"]);
/** A context below this leaves out most of what a twin knows. */
const SMALL_CONTEXT = 8192;

function goodSentence(milliseconds: number, context: ContextLength | null): string {
  const seconds = (milliseconds / 1000).toLocaleString("ru-RU", { maximumFractionDigits: 1 });
  if (context === null) return `Модель ответила за ${seconds} с.`;
  const tokens = context.tokens.toLocaleString("ru-RU");
  if (context.tokens >= SMALL_CONTEXT) return `Модель ответила за ${seconds} с и читает до ${tokens} токенов.`;
  return context.isOllama
    ? `Модель ответила за ${seconds} с, но Ollama даёт ей прочесть только ${tokens} токенов: увеличьте длину контекста в его настройках.`
    : `Модель ответила за ${seconds} с, но читает только ${tokens} токенов: часть знаний двойника она не увидит.`;
}

async function beginningOf(answer: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER) break;
  }
  return text;
}

/** null: the body is not a completion. */
function completionOf(body: string): Completion | null {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof read !== "object" || read === null) return null;
  const { choices, usage, error } = read as {
    choices?: unknown;
    usage?: { prompt_tokens?: unknown; completion_tokens?: unknown; total_tokens?: unknown } | null;
    error?: { code?: unknown } | string | null;
  };
  // Some gateways report an error with a success status.
  if (error != null) {
    const status = typeof error === "object" ? Number(error.code) : Number.NaN;
    return { tokens: null, usage: null, error: true, status: status >= 400 && status <= 599 ? status : 500 };
  }
  if (!Array.isArray(choices) || typeof choices[0]?.message !== "object") return null;
  const [input, output] = [countOf(usage?.prompt_tokens), countOf(usage?.completion_tokens)];
  // Some servers report zero tokens.
  const counted = input === null || output === null || input + output === 0 ? null : { input, output };
  const tokens = countOf(usage?.total_tokens);
  return { tokens, usage: counted, status: 200 };
}

interface Completion {
  tokens: number | null;
  usage: CheckUsage | null;
  error?: true;
  status: number;
}

/** Returns null for anything that cannot be a token count of a short text. */
const countOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : null;
const MAX_COUNT = 1_000_000;
