import type { Reply } from "#contract/conversations/conversations.ts";
import { formatShare } from "#web/i18n/format.ts";

interface Citations {
  confidence?: number | null | undefined;
  basis?: Reply["basis"] | null | undefined;
}

export const QUOTATION_LABEL = "Цитата из документа";

/** Returns the twin's confidence in words; null where it was not measured and for quotations, which are not answers. */
export function confidenceLabel({ confidence, basis }: Citations): string | null {
  if (basis === "quoted") return QUOTATION_LABEL;
  return confidence === undefined || confidence === null ? null : `Уверенность ${formatShare(confidence)}`;
}
