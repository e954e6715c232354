import type { LocalModel, ModelKind, ModelVerdict } from "#contract/models/local-models.ts";
import { formatNumber, formatShare, formatSize } from "#web/i18n/format.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

export const KIND_TITLES: Record<ModelKind, string> = {
  chat: "Пишут ответы",
  embedder: "Ищут по смыслу",
  reranker: "Уточняют найденное",
  speech: "Расшифровывают голосовые",
};
export const KINDS: readonly ModelKind[] = ["chat", "embedder", "reranker", "speech"];

export const VERDICTS: Record<ModelVerdict, { label: string; tone: BadgeTone; why: string | null }> = {
  recommended: { label: "Советуем", tone: "success", why: null },
  fits: { label: "Подходит", tone: "neutral", why: null },
  slow: { label: "Будет отвечать долго", tone: "warning", why: null },
  "no-memory": { label: "Не хватит памяти", tone: "neutral", why: "На этом сервере не хватит памяти для этой модели" },
  "no-disk": { label: "Не хватит места", tone: "neutral", why: "На диске сервера не хватит места для этой модели" },
};

/** Order of verdicts: the most suitable for this machine first. */
export const VERDICT_ORDER: readonly ModelVerdict[] = ["recommended", "fits", "slow", "no-disk", "no-memory"];

/** «Скачано 40%: 440 МБ из 1,1 ГБ · 3,2 МБ/с · осталось около 4 мин» */
export function progressOf({ state, bytes, received, bytesPerSecond }: LocalModel): string {
  if (bytes === null) return "Узнаём размер файла";
  if (received >= bytes) return "Проверяем файл";
  const share = `${formatShare(received / bytes)}: ${formatSize(received)} из ${formatSize(bytes)}`;
  if (state === "paused") return `Приостановлено на ${share}`;
  if (state === "uploading") return `Загружено ${share}`;
  if (state === "failed") return `Остановилось на ${share}`;
  if (!bytesPerSecond) return `Скачано ${share}`;
  return `Скачано ${share} · ${formatSize(bytesPerSecond)}/с · ${leftIn((bytes - received) / bytesPerSecond)}`;
}

export function leftIn(seconds: number): string {
  if (seconds < 60) return "осталось меньше минуты";
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `осталось около ${minutes} мин`;
  return `осталось около ${formatNumber(Math.round(minutes / 6) / 10)} ч`;
}
