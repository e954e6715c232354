import { requestIdOf } from "#web/api/api-error.ts";
import { CopyButton } from "../copy-button.tsx";

/** The number by which whoever runs the server finds a failure of the server's in its log; nothing for other errors. */
export function RequestNumber({ error }: { error: unknown }) {
  const id = requestIdOf(error);
  if (id === undefined) return null;
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-1 text-muted text-sm">
      <span className="min-w-0 break-all">
        Номер обращения <code className="font-mono">{id}</code>
      </span>
      <CopyButton text={id} what="номер обращения" />
    </span>
  );
}
