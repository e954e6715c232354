import { clsx } from "clsx";
import { HardDrive } from "lucide-react";
import { useStorage } from "./queries.ts";
import { storageWarning } from "./storage-words.ts";

/** Above an upload form: warns that space is running out before an upload is rejected. */
export function StorageNotice({ className }: { className?: string }) {
  const { data } = useStorage();
  const warning = data && storageWarning(data);
  // The live region exists before its text, because only later changes are read out.
  return (
    <div role="status">
      {warning && (
        <p
          className={clsx(
            "flex items-start gap-3 rounded-lg px-4 py-3 text-md tabular-nums",
            warning.full ? "bg-danger-soft text-danger-text" : "bg-warning-soft text-warning-text",
            className,
          )}
        >
          <HardDrive aria-hidden className="icon mt-0.5 shrink-0" />
          <span className="min-w-0">{warning.words}</span>
        </p>
      )}
    </div>
  );
}
