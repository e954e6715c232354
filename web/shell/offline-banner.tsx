import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

function subscribe(listener: () => void) {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div
      role="status"
      lang="ru"
      className="pointer-events-none fixed inset-x-0 bottom-(--toast-bottom,0px) z-30 flex justify-center p-4"
    >
      {!online && (
        <p className="flex animate-slide-in-up items-center gap-3 rounded-lg border bg-warning-soft px-4 py-2.5 text-md text-warning-text shadow-2">
          <WifiOff aria-hidden className="icon" />
          Нет подключения к интернету. Изменения не сохранятся, пока связь не вернётся.
        </p>
      )}
    </div>
  );
}
