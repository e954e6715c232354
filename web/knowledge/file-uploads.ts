// Uploads of documents, one request per file, one after another. The list is in the query cache, so it outlives
// the screen and a logout clears it.
import { type DocumentType, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { ApiError, codeOf, messageOf } from "#web/api/api-error.ts";
import { uploadState } from "#web/api/upload-state.ts";
import { plural } from "#web/i18n/plural.ts";
import { refusalOf } from "#web/parts/documents/accepted-files.ts";
import { toast } from "#web/ui/toasts/toast.ts";

interface FileTarget {
  digitalTwinId: string;
  name: string;
  /** Type for those of several files that have none; "" when each has its own. */
  type: DocumentType | "";
  tags: string;
}

export interface FileUpload {
  id: string;
  file: File;
  status: "chosen" | "waiting" | "sending" | "done" | "failed";
  share: number;
  reason?: string;
  /** Document type, guessed from the file or chosen in its row; "" when unknown. It applies only when several files are sent. */
  type: DocumentType | "";
  /** Whether the file was rejected permanently, so that a retry is useless. */
  refused?: boolean;
  target?: FileTarget;
}

const controllers = new Map<string, AbortController>();
let nextId = 1;
let running = false;

const { current, publish, useUpload } = uploadState<FileUpload[]>("documents", []);
export const useFileUploads = useUpload;
const change = (id: string, changes: Partial<FileUpload>) =>
  publish(current().map((file) => (file.id === id ? { ...file, ...changes } : file)));

export function addFiles(files: readonly Pick<FileUpload, "file" | "type">[]) {
  const added = files.map(({ file, type }): FileUpload => {
    const reason = refusalOf(file);
    const entry = { id: String(nextId++), file, share: 0, type };
    return reason ? { ...entry, status: "failed", reason, refused: true } : { ...entry, status: "chosen" };
  });
  publish([...current(), ...added]);
}

export const setFileType = (id: string, type: FileUpload["type"]) => change(id, { type });

export function removeFile(id: string) {
  publish(current().filter((file) => file.id !== id));
  controllers.get(id)?.abort();
}

export function clearEndedFiles() {
  publish(current().filter(({ status }) => status !== "done" && status !== "failed"));
}

export function retryFile(id: string) {
  change(id, { status: "waiting", share: 0 });
  run();
}

/** Sends the chosen files. A single file takes the form's type, which displayed it; several keep their own. */
export function sendChosenFiles(target: FileTarget) {
  const several = current().filter(({ status }) => status === "chosen").length > 1;
  publish(
    current().map((file) => {
      if (file.status !== "chosen") return file;
      const type = (several && file.type) || target.type;
      return { ...file, type, status: "waiting", share: 0, target: { ...target, type } };
    }),
  );
  run();
}

async function run() {
  if (running) return;
  running = true;
  const ended: FileUpload[] = [];
  try {
    for (;;) {
      const next = current().find(({ status }) => status === "waiting");
      if (!next) break;
      await sendFile(next);
      const end = current().find(({ id }) => id === next.id);
      if (end) ended.push(end);
    }
  } finally {
    running = false;
  }
  announce(ended);
}

async function sendFile({ id, file, target }: FileUpload) {
  const controller = new AbortController();
  controllers.set(id, controller);
  change(id, { status: "sending", share: 0 });
  try {
    const { upload } = await import("#web/api/upload.ts");
    const answer = await upload(knowledgeApi.upload, {
      body: formOf(file, target as FileTarget),
      signal: controller.signal,
      onProgress: (share) => change(id, { share }),
    });
    const [first] = Array.isArray(answer) ? answer : [answer];
    if (first && "error" in first) change(id, { status: "failed", reason: first.error });
    else change(id, { status: "done", share: 1 });
  } catch (error) {
    // Too large, unsupported or unreadable files will be rejected again. `storage_full` is excluded, because space can be freed.
    const refused =
      error instanceof ApiError && [413, 415, 422].includes(error.status) && codeOf(error) !== "storage_full";
    change(id, { status: "failed", reason: messageOf(error), refused });
  } finally {
    controllers.delete(id);
  }
}

/** Fields must come before the file, because the server reads the form as a stream. */
function formOf(file: File, target: FileTarget): FormData {
  const form = new FormData();
  form.append("digitalTwinId", target.digitalTwinId);
  if (target.name) form.append("name", target.name);
  form.append("type", target.type);
  form.append("tags", target.tags);
  form.append("file", file);
  return form;
}

function announce(ended: FileUpload[]) {
  const failed = ended.filter(({ status }) => status === "failed");
  const done = ended.length - failed.length;
  if (failed.length > 0) {
    const [first] = failed;
    const description =
      failed.length === 1
        ? `${first?.file.name}: ${first?.reason}`
        : `Не загружено ${failed.length} из ${ended.length}`;
    toast({ title: "Ошибка загрузки", description, variant: "destructive" });
  } else if (done > 0) {
    const description = done > 1 ? plural(done, ["документ", "документа", "документов"]) : ended[0]?.file.name;
    toast({ title: "Документ загружен!", description });
  }
}
