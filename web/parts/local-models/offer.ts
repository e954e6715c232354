import type { CatalogueEntry, LocalModels, ModelKind } from "#contract/models/local-models.ts";

export interface Offer {
  title: string;
  /** What each advised model would bring to a twin, no more than was seen of its like (docs/quality.md). */
  sentences: string[];
}

/** What to offer to whoever runs a server without models, until he has passed it; null: nothing. */
export function offerOf({ catalogue, installed, settled, offerPassed }: LocalModels): Offer | null {
  if (offerPassed || installed.length > 0) return null;
  const advised = (wanted: ModelKind) =>
    settled.includes(wanted)
      ? undefined
      : catalogue.find(({ kind, verdict }) => kind === wanted && verdict === "recommended");
  const [embedder, chat] = [advised("embedder"), advised("chat")];
  if (chat === undefined && embedder === undefined) return null;
  return {
    title: embedder !== undefined || chat?.reads ? "Двойник может понимать больше." : "Двойник может отвечать живее.",
    sentences: [
      ...(embedder === undefined
        ? []
        : [`${embedder.name} помогает поиску, когда вопрос задан другими словами, чем написано в документе.`]),
      ...(chat === undefined ? [] : [worth(chat)]),
    ],
  };
}

const worth = ({ name, reads }: CatalogueEntry): string =>
  reads
    ? `${name} сама читает документы, а не только пересказывает найденное: проверьте её на своих вопросах.`
    : `${name} отвечает живее, а факты за неё по-прежнему находит поиск по документам.`;
