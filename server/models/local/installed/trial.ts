/** Asks an installed model a test question, and measures its speed and memory. */
import { readFile } from "node:fs/promises";
import type { ModelTrial } from "#contract/models/local-models.ts";
import { ModelFailure } from "#server/models/host/failures.ts";
import type { Generated, ModelHost } from "#server/models/host/model-host.ts";
import { conflict, unavailable, unprocessable } from "#server/platform/errors.ts";
import type { Asker } from "#server/platform/process/fair-scheduler.ts";
import { gigabytes } from "../model-memory.ts";
import type { ModelRegistry } from "../model-registry.ts";
import { type ModelRow, memoryOf } from "../model-rows.ts";

const MAX_TOKENS = 160;

interface Trying {
  asker: Asker;
  signal: AbortSignal;
  /** Maximum context of the model, in tokens. */
  most: number;
  /** Free memory in bytes; absent: measured. */
  freeBytes?: number;
}

/**
 * Registries with a trial in progress. A trial runs in a separate process, and only one at a time must fit into memory beside the models in
 * use.
 */
const trying = new WeakSet<ModelRegistry>();

/**
 * @throws Problem 409 for a model that is not ready or does not generate, and during another trial; 422 when memory is short; 503 with
 *   the reason when it does not run; the signal's reason
 */
export async function tryModel(
  modelRegistry: ModelRegistry,
  row: ModelRow,
  question: string,
  { asker, signal, most, freeBytes = process.availableMemory() }: Trying,
): Promise<ModelTrial> {
  if (row.state !== "ready") throw conflict("model_not_ready", "Модель ещё не готова: дождитесь конца загрузки");
  if (row.kind !== "chat") throw conflict("model_writes_nothing", "Эта модель не пишет ответов: спросить её нельзя");
  const answering = modelRegistry.answeringHost(row.id);
  if (answering === undefined) {
    if (trying.has(modelRegistry))
      throw conflict("model_tried", "Сейчас проверяется другая модель. Дождитесь её ответа");
    checkRoom(memoryOf(row, most) ?? 0, freeBytes);
    trying.add(modelRegistry);
  }
  const host = answering ?? modelRegistry.open(row);
  try {
    return await measured(host, question, { asker, signal });
  } catch (error) {
    if (error instanceof ModelFailure)
      throw unavailable("model_failed", REASONS[error.reason] ?? OTHERWISE, { detail: error.message });
    throw error;
  } finally {
    // A process that was started for the trial serves no other requests.
    if (answering === undefined) {
      await host.end();
      trying.delete(modelRegistry);
    }
  }
}

/** Without enough memory the system might kill the server instead of the model. */
function checkRoom(needed: number, free: number): void {
  if (needed <= free) return;
  throw unprocessable(
    "no_memory_now",
    `Модели нужно около ${gigabytes(needed)} памяти, а сейчас на сервере свободно ${gigabytes(free)}. Отключите другую модель или выберите поменьше`,
  );
}

const OTHERWISE = "Модель не запустилась. Попробуйте ещё раз; если не поможет, выберите другую";
const REASONS: Partial<Record<ModelFailure["reason"], string>> = {
  memory: "Модели не хватило памяти. Выберите модель поменьше",
  missing: "Для этой системы нет программы, которая запускает модели",
  busy: "Модель занята ответами. Попробуйте через полминуты",
  hung: "Модель не ответила вовремя: для этого сервера она слишком велика. Выберите модель поменьше",
  late: "Модель не ответила вовремя: для этого сервера она слишком велика. Выберите модель поменьше",
};

async function measured(
  host: ModelHost,
  question: string,
  asking: { asker: Asker; signal: AbortSignal },
): Promise<ModelTrial> {
  const begun = performance.now();
  await host.facts(asking.signal);
  const loaded = performance.now();
  const answer = host.generate(
    {
      turns: [
        { role: "system", content: "Отвечай по-русски, коротко и по делу." },
        { role: "user", content: question },
      ],
      maxTokens: MAX_TOKENS,
      temperature: 0.3,
      seed: 1,
      stop: [],
      grammar: null,
    },
    asking,
  );
  let text = "";
  let first: number | null = null;
  let generated: Generated | undefined;
  for (;;) {
    const next = await answer.next();
    if (next.done) {
      generated = next.value;
      break;
    }
    first ??= performance.now();
    text += next.value;
  }
  const ended = performance.now();
  const memoryBytes = await residentBytes(host.pid);
  const seconds = (ended - (first ?? ended)) / 1000;
  return {
    text: text.trim(),
    loadMs: Math.round(loaded - begun),
    firstTokenMs: Math.round((first ?? ended) - loaded),
    tokensPerSecond: generated.output > 3 && seconds > 0 ? Math.round((generated.output / seconds) * 10) / 10 : null,
    memoryBytes,
  };
}

/** Only Linux reports the resident memory of another process. */
async function residentBytes(pid: number | undefined): Promise<number | null> {
  const facts = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmRSS:\s*(\d+) kB$/m.exec(facts);
  return found === null ? null : Number(found[1]) * 1024;
}
