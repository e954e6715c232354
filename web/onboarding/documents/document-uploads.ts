// Uploads of documents to the new twin, one request each, one after another. Their state outlives the step that started them.
import { knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { messageOf } from "#web/api/api-error.ts";
import { uploadState } from "#web/api/upload-state.ts";

export interface DocumentUpload {
  file: File;
  twinId: string;
  status: "sending" | "done" | "failed";
  reason?: string;
}

const { current, publish, useUpload } = uploadState<readonly DocumentUpload[]>("onboarding-documents", []);

export const useDocumentUploads = (twinId: string) => useUpload().filter((one) => one.twinId === twinId);

/** Sends files one by one; a rejected file does not affect the others. */
export async function sendDocuments(files: readonly File[], twinId: string): Promise<void> {
  publish([...current(), ...files.map((file) => ({ file, twinId, status: "sending" as const }))]);
  const [{ upload }, { titleOf, typeOf }] = await Promise.all([
    import("#web/api/upload.ts"),
    import("#web/parts/documents/guess-document.ts"),
  ]);
  for (const file of files) {
    const ended = await sendOne(file).then(
      (): Partial<DocumentUpload> => ({ status: "done" }),
      (error: unknown): Partial<DocumentUpload> => ({ status: "failed", reason: messageOf(error) }),
    );
    publish(current().map((one) => (one.file === file && one.twinId === twinId ? { ...one, ...ended } : one)));
  }

  async function sendOne(file: File) {
    // Fields must come before the file, because the server reads the form as a stream.
    const body = new FormData();
    body.append("digitalTwinId", twinId);
    body.append("name", titleOf(file));
    body.append("type", (await typeOf(file)) ?? "training");
    body.append("file", file);
    const answer = await upload(knowledgeApi.upload, { body });
    const [first] = Array.isArray(answer) ? answer : [answer];
    if (first && "error" in first) throw new Error(first.error);
  }
}
