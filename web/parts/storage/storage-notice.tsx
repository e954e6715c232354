import { clsx } from "clsx";
import { HardDrive } from "lucide-react";
import { useStorage } from "./queries.ts";
import { storageWarning } from "./storage-words.ts";

/** Above what uploads: tells that space ends before an upload is refused for it. */
export function StorageNotice({ className }: { className?: string }) {
  const { data } = useStorage();
  const warning = data && storageWarning(data);
  // The region stands there before its words: only then are they read out.
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
