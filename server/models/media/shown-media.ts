import type { MessageMedia } from "#contract/media.ts";
import type { MediaRow } from "./attempts.ts";
import { isConfident } from "./confidence-threshold.ts";

export const shownMedia = (row: MediaRow): MessageMedia => ({
  ...{ id: row.id, kind: row.kind, name: row.name, state: row.state, hasOriginal: row.storedAt !== null },
  ...{
    seconds: row.seconds,
    text: row.text,
    confidence: row.confidence,
    sure: isConfident(row.confidence),
    note: row.note,
  },
});
