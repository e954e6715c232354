import { ChevronRight, MessageSquareText, Pencil, Settings } from "lucide-react";
import { lazy, type RefObject, Suspense, useEffect, useId, useRef } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { useTraining } from "#web/parts/twins/queries.ts";
import { ActivityBadge, TrainingBadge } from "#web/parts/twins/twin-badges.tsx";
import { paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button, buttonClass } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

const loadChat = () => import("#web/parts/chat/chat-panel.tsx");
const ChatPanel = lazy(loadChat);
const TwinWaiting = lazy(() => import("./twin-waiting.tsx"));

function preloadChat() {
  // Preload failures are ignored; opening the chat reports them.
  loadChat().catch(() => undefined);
}

/** Action labels are visible where there is space, and on a phone, which has no tooltips to explain an icon. */
const ACT = "max-sm:px-2! sm:max-xl:w-(--control-h) sm:max-xl:px-0! xl:px-3!";
const WORD = "sm:max-xl:hidden";
const line = "flex flex-wrap items-center gap-x-4 gap-y-3 py-4";

interface TwinRowProps {
  twin: Twin;
  chatOpen: boolean;
  /** Whether to load what waits in the twin, which takes one or two calls per row. */
  waits: boolean;
  onToggleChat: () => void;
}

export function TwinRow({ twin, chatOpen, waits, onToggleChat }: TwinRowProps) {
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  // The badge of a twin in training follows the job's progress.
  useTraining(twin.id, twin.status === "training");
  return (
    <li ref={row} className="min-w-0 scroll-mt-20 scroll-mb-20">
      <div className={line}>
        <div className="relative flex min-w-0 flex-1 items-center gap-4 hover:text-primary-text max-sm:basis-full sm:min-w-64">
          <Avatar name={twin.name} echo />
          <div className="min-w-0">
            <h2 className="flex items-center gap-1 text-base">
              {/* The whole row except its actions opens the twin. */}
              <Link
                id={`${id}-name`}
                href={paths.twinSettings(twin.id)}
                className="[overflow-wrap:anywhere] after:absolute after:inset-0"
              >
                {twin.name}
              </Link>
              <ChevronRight aria-hidden className="icon text-subtle" />
            </h2>
            <p className="line-clamp-5 text-md text-muted">{twin.description}</p>
            <Suspense>{waits && <TwinWaiting twin={twin} />}</Suspense>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:ms-15">
          {twin.status === "training" && <TrainingBadge status={twin.status} />}
          <ActivityBadge isActive={twin.isActive} />
        </div>
        <div className="flex flex-wrap items-center gap-1 max-sm:grow">
          <Button
            aria-expanded={chatOpen}
            {...(chatOpen ? { "aria-controls": `${id}-chat` } : {})}
            aria-describedby={`${id}-name`}
            className="me-1 aria-expanded:bg-hover max-sm:flex-1"
            onPointerEnter={preloadChat}
            onFocus={preloadChat}
            onClick={onToggleChat}
          >
            <MessageSquareText aria-hidden className="icon max-sm:hidden" />
            Тест чат
          </Button>
          <Link
            href={paths.editTwin(twin.id)}
            aria-label={`Редактировать: ${twin.name}`}
            title="Редактировать"
            className={buttonClass("ghost", "md", ACT)}
          >
            <Pencil aria-hidden className="icon max-sm:hidden" />
            <span className={WORD}>Редактировать</span>
          </Link>
          <Link
            href={paths.twinSettings(twin.id)}
            aria-label={`Настройки: ${twin.name}`}
            title="Настройки"
            className={buttonClass("ghost", "md", ACT)}
          >
            <Settings aria-hidden className="icon max-sm:hidden" />
            <span className={WORD}>Настройки</span>
          </Link>
        </div>
      </div>
      {chatOpen && (
        <Suspense fallback={<LoadingStatus className="h-96">Загрузка...</LoadingStatus>}>
          {/* The chat has its own box, because the rows around it have none. */}
          <ChatPanel id={`${id}-chat`} twin={twin} className="mb-5 overflow-hidden rounded-lg border bg-surface" />
          <Reveal row={row} />
        </Suspense>
      )}
    </li>
  );
}

/** Rendered below the chat: once the chat's code has loaded, scrolls the whole row into view. */
function Reveal({ row }: { row: RefObject<HTMLElement | null> }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.scrollIntoView({ block: "nearest" });
    end.current?.scrollIntoView({ block: "nearest" });
  }, [row]);
  return <div ref={end} className="scroll-mb-20" />;
}

export function TwinRowSkeleton() {
  return (
    <li aria-hidden>
      <div className={line}>
        <div className="flex min-w-0 flex-1 items-center gap-4 max-sm:basis-full sm:min-w-64">
          <Skeleton className="me-1 size-10 rounded-full!" />
          <div className="min-w-0 flex-1">
            <Skeleton className="my-1 h-4 w-36" />
            <Skeleton className="my-1 h-4 w-full max-w-80" />
          </div>
        </div>
        <Skeleton className="h-6 w-20 rounded-full!" />
        <Skeleton className="h-(--control-h) w-28 max-sm:flex-1" />
        <Skeleton className="h-(--control-h) w-20" />
      </div>
    </li>
  );
}
