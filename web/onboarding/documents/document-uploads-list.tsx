import { CircleAlert, CircleCheck } from "lucide-react";
import { Spinner } from "#web/ui/states/spinner.tsx";
import type { DocumentUpload } from "./document-uploads.ts";

const WORDS = { sending: "загружается", done: "загружен", failed: "не загружен" } as const;

export function DocumentUploadsList({ uploads }: { uploads: readonly DocumentUpload[] }) {
  return (
    <ul aria-label="Документы" className="divide-y rounded-lg border">
      {uploads.map(({ file, status, reason }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files are only ever added at the end
        <li key={place} className="flex items-start gap-3 px-3 py-2.5 text-md">
          {status === "sending" ? (
            <Spinner className="icon mt-0.5" />
          ) : status === "done" ? (
            <CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />
          ) : (
            <CircleAlert aria-hidden className="icon mt-0.5 text-danger-text" />
          )}
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {file.name} <span className="text-muted">{reason ?? WORDS[status]}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
