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
    <div className="flex flex-col gap-1.5 border-b px-2 py-2" data-skeleton="message">
      <Skeleton className="h-4 w-64 max-w-full" />
      <Skeleton className="h-5 w-4/5" />
    </div>
  );
}
