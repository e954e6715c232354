import { FileText } from "lucide-react";
import type { Ref } from "react";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { plural } from "#web/i18n/plural.ts";
import { CancelImport, messages } from "./import-progress.tsx";

interface ImportFileProps {
  state: ImportState;
  about?: string;
  headingRef?: Ref<HTMLHeadingElement>;
}

/**
 * The file of an import with its detected content. While it waits for a choice it can be discarded here, away from the button that
 * continues.
 */
export function ImportFile({ state, about = "", headingRef }: ImportFileProps) {
  const { fileName, status, chats, people, total } = state;
  const waits = status === "preview";
  const found =
    waits &&
    `Найдено: ${plural(chats.length, ["чат", "чата", "чатов"])}, ${plural(people.length, ["человек", "человека", "человек"])}, ${plural(total, messages)}`;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3">
      <FileText aria-hidden className="icon text-muted max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-52">
        <h3 ref={headingRef} tabIndex={-1} className="text-base [overflow-wrap:anywhere] focus:outline-none">
          {fileName}
        </h3>
        {about && <p className="text-md text-muted">{about}</p>}
        {found && <p className="text-md text-muted">{found}</p>}
      </div>
      {waits && <CancelImport state={state} quiet />}
    </div>
  );
}
