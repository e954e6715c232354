/** Returns the reader that an organisation has chosen for a kind, with its present settings. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { endpointRecognizer } from "./endpoint/endpoint.ts";
import { off } from "./off.ts";
import type { ReaderRow } from "./reader-rows.ts";
import type { Recognize } from "./recognizer.ts";
import { openEndpoint, type ReadersDeps } from "./settings.ts";

const NOT_HERE: Record<MediaKind, string> = {
  speech: "Модель для речи на этом сервере сейчас не установлена.",
  picture: "Чтение картинок на этом сервере сейчас не установлено.",
};

/** @throws VaultError */
export function chosenReader(
  deps: Pick<ReadersDeps, "vault" | "remote" | "localMedia"> & { files: Pick<FileStore, "open"> },
  tenant: Tenant,
  row: ReaderRow | null,
): Recognize {
  if (row === null || row.mode === "off") return off;
  if (row.mode === "endpoint") return endpointRecognizer(deps.files, openEndpoint(deps, tenant, row));
  return (
    deps.localMedia.recognizer(row.kind) ??
    (async () => ({ ok: false, kind: "unavailable", message: NOT_HERE[row.kind] }))
  );
}
