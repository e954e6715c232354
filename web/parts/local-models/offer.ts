import type { CatalogueEntry, LocalModels, ModelKind } from "#contract/models/local-models.ts";
import type { RemoteModel } from "#contract/models/remote-model.ts";

interface Offer {
  title: string;
  /** Benefit of each recommended kind of model, limited to what was measured with similar models (docs/quality.md). */
  why: string;
}

/**
 * Returns what to offer to the operator of a server without models, until dismissed; null offers nothing. Beside a remote model that
 * answers, no second one is offered for the same.
 */
export function offerOf(
  { catalogue, installed, settled, offerPassed }: LocalModels,
  remote: Pick<RemoteModel, "settings" | "held"> | null,
): Offer | null {
  if (offerPassed || installed.length > 0) return null;
  const answersRemotely = remote?.settings?.enabled === true && remote.held === null;
  const advised = (wanted: ModelKind) =>
    settled.includes(wanted) || (wanted === "chat" && answersRemotely)
      ? undefined
      : catalogue.find(({ kind, verdict }) => kind === wanted && verdict === "recommended");
  const [embedder, chat] = [advised("embedder"), advised("chat")];
  if (chat === undefined && embedder === undefined) return null;
  return {
    title: embedder !== undefined || chat?.reads ? "Двойник может понимать больше." : "Двойник может отвечать живее.",
    why: [embedder && "Модель поиска найдёт ответ и\u00a0на\u00a0вопрос другими словами.", chat && worth(chat)]
      .filter(Boolean)
      .join(" "),
  };
}

const worth = ({ reads }: CatalogueEntry): string =>
  reads ? "Языковая модель сама читает документы." : "Языковая модель оживит ответы, факты по-прежнему найдёт поиск.";
