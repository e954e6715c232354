import type {
  CatalogueEntry,
  LocalModel,
  LocalModels,
  ModelKind,
  ModelVerdict,
} from "#contract/models/local-models.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

export const KIND_TITLES: Record<ModelKind, string> = {
  chat: "Пишут ответы",
  embedder: "Ищут по смыслу",
  reranker: "Уточняют найденное",
  speech: "Расшифровывают голосовые",
};
export const KINDS: readonly ModelKind[] = ["chat", "embedder", "reranker", "speech"];

export const MODEL_FIT_LABELS: Record<ModelVerdict, { label: string; tone: BadgeTone; why: string | null }> = {
  recommended: { label: "Советуем", tone: "success", why: null },
  fits: { label: "Подходит", tone: "neutral", why: null },
  slow: { label: "Будет отвечать долго", tone: "warning", why: null },
  "no-memory": { label: "Не хватит памяти", tone: "neutral", why: "На этом сервере не хватит памяти для этой модели" },
  "no-disk": { label: "Не хватит места", tone: "neutral", why: "На диске сервера не хватит места для этой модели" },
};

/** Order of verdicts: the most suitable for this machine first. */
export const VERDICT_ORDER: readonly ModelVerdict[] = ["recommended", "fits", "slow", "no-disk", "no-memory"];

/** Returns progress such as «Скачано 40%: 440 МБ из 1,1 ГБ · 3,2 МБ/с · осталось около 4 мин». */
export function progressOf({
  state,
  bytes,
  received,
  bytesPerSecond,
}: Pick<LocalModel, "state" | "bytes" | "received" | "bytesPerSecond">): string {
  if (bytes === null) return "Узнаём размер файла";
  if (received >= bytes) return "Проверяем файл";
  const share = `${formatShare(received / bytes)}: ${formatSize(received)} из ${formatSize(bytes)}`;
  if (state === "paused") return `Приостановлено на ${share}`;
  if (state === "uploading") return `Загружено ${share}`;
  if (state === "failed") return `Остановилось на ${share}`;
  if (!bytesPerSecond) return `Скачано ${share}`;
  return `Скачано ${share} · ${formatSize(bytesPerSecond)}/с · ${remainingTimeText((bytes - received) / bytesPerSecond)}`;
}

export function remainingTimeText(seconds: number): string {
  if (seconds < 60) return "осталось меньше минуты";
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `осталось около ${minutes} мин`;
  return `осталось около ${formatNumber(Math.round(minutes / 6) / 10)} ч`;
}

/** Purpose of each kind of model, for users who do not know models. `reads` is a chat model large enough to extract facts. */
export const MODEL_USES: Record<ModelKind | "reads", string> = {
  embedder: "Находит ответ и тогда, когда вопрос задан другими словами.",
  chat: "Пишет ответы живее; факты за неё находит поиск.",
  reads: "Пишет ответы и сама читает документы.",
  reranker: "Ставит первым то, что отвечает на вопрос.",
  speech: "Расшифровывает голосовые.",
};

/**
 * Seconds to the first words of an answer, in a continued and in a new conversation. They were measured on two cores (docs/performance.md).
 */
const SECONDS: Readonly<Record<string, { going: string; first: number }>> = {
  "qwen3-1.7b": { going: "2–3", first: 15 },
  "qvikhr-3-1.7b": { going: "2–3", first: 15 },
  "qwen3-4b": { going: "7–10", first: 145 },
};

/** Says how soon the first words of an answer appear; "" for models that were not measured. */
export function speedOf(catalogueId: string): string {
  const measured = SECONDS[catalogueId];
  if (measured === undefined) return "Скорость этой модели мы не измеряли";
  return `Первые слова ответа обычно через ${measured.going} с, в новом диалоге до ${measured.first} с: наш замер модели такой же величины на двух ядрах`;
}

/** Returns the recommended models that can be chosen now; models that are already downloading are left out. */
export const adviceOf = ({ advised, catalogue, installed }: LocalModels): CatalogueEntry[] =>
  advised.flatMap((id) => {
    const here = installed.find(({ catalogueId }) => catalogueId === id);
    const entry = catalogue.find((each) => each.id === id);
    return entry && (!here || here.state === "ready") ? [entry] : [];
  });

/** Combines several downloads: paused when none makes progress, failed when one has failed and none makes progress. */
export function combinedProgress(models: readonly LocalModel[]) {
  const sum = (of: (model: LocalModel) => number | null) => models.reduce((all, model) => all + (of(model) ?? 0), 0);
  const any = (state: LocalModel["state"]) => models.some((model) => model.state === state);
  return {
    state: any("downloading") ? ("downloading" as const) : any("failed") ? ("failed" as const) : ("paused" as const),
    bytes: models.some(({ bytes }) => bytes === null) ? null : sum(({ bytes }) => bytes),
    received: sum(({ received }) => received),
    bytesPerSecond: sum(({ bytesPerSecond }) => bytesPerSecond) || null,
  };
}

/** Bytes per second of a typical connection of 50 Mbit/s. */
const USUAL_LINE = 50e6 / 8;

/** Returns the download time on a typical connection, such as «около 4 минут». */
export function approximateDuration(bytes: number): string {
  const minutes = Math.max(1, Math.round(bytes / USUAL_LINE / 60));
  return `около ${plural(minutes, ["минуты", "минут", "минут"])}`;
}

/** Names the source of models. A mirror's host means nothing to users and is named only in the help for slow downloads. */
export const hubSourceText = (hub: string): string =>
  hub === "huggingface.co" ? "с Hugging Face" : "с зеркала моделей";
