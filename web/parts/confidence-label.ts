import type { Reply } from "#contract/conversations/conversations.ts";
import type { TrackRecord } from "#contract/track-record.ts";
import { formatShare } from "#web/i18n/format.ts";

interface Citations {
  confidence?: number | null | undefined;
  basis?: Reply["basis"] | null | undefined;
  track?: TrackRecord | undefined;
  scripted?: true | undefined;
}

export const QUOTATION_LABEL = "Цитата из документа";

/** Returns the twin's confidence in words; null where it was not measured, for quotations, which are not answers, and for what code worded. */
export function confidenceLabel({ confidence, basis, track, scripted }: Citations): string | null {
  if (basis === "quoted") return QUOTATION_LABEL;
  if (confidence === undefined || confidence === null || scripted) return null;
  const label = `Уверенность ${formatShare(confidence)}`;
  return track === undefined ? label : `${label} · ${trackLabel(track)}`;
}

/** «Из 40 таких ответов вы поправили 1»; a rejected answer counts as corrected. */
export const trackLabel = ({ decided, corrected }: TrackRecord): string =>
  corrected === 0 ? `все ${decided} таких вы отправили как есть` : `из ${decided} таких вы поправили ${corrected}`;
