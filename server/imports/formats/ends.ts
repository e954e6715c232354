import type { ImportEvent } from "./message.ts";
import { MalformedJson, TruncatedJson } from "./parts/json-bytes.ts";

export type ImportEnd = Extract<ImportEvent, { type: "end" }>;

export const CUT_END: ImportEnd = {
  type: "end",
  incomplete: true,
  error: "Файл обрывается: прочитано всё, что в нём есть",
};
const DAMAGED_END: ImportEnd = {
  type: "end",
  incomplete: true,
  error: "Файл повреждён: прочитано всё до повреждённого места",
};
export const WHOLE_END: ImportEnd = { type: "end", incomplete: false };

/** Returns the event for the end of a walk over JSON. @throws errors that are not the file's fault */
export function endOf(error: unknown): ImportEnd {
  if (error instanceof TruncatedJson) return CUT_END;
  if (error instanceof MalformedJson) return DAMAGED_END;
  throw error;
}
