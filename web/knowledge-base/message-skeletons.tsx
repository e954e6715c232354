import { Skeleton } from "#web/ui/states/skeleton.tsx";

const ROWS = 10;

export function MessageSkeletons() {
  return (
    <div className="h-150 overflow-hidden" data-testid="message-skeletons">
      <p role="status" className="sr-only">
        Загружаем сообщения...
      </p>
      {Array.from({ length: ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
        <SkeletonRow key={row} />
      ))}
    </div>
  );
}

export function SkeletonRow() {
  return (
    <div className="border-b px-2 py-3" data-skeleton="message">
      <div className="flex items-center gap-2">
        <Skeleton className="h-5.5 w-24 rounded-full!" />
        <Skeleton className="h-5.5 w-36 rounded-full!" />
        <Skeleton className="ms-auto h-4 w-32 max-sm:hidden" />
      </div>
      <Skeleton className="mt-2 h-5 w-4/5" />
    </div>
  );
}
