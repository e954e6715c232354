import { clsx } from "clsx";
import { Check, Pencil } from "lucide-react";
import { lazy, type PointerEvent, type ReactNode, Suspense, useRef, useState } from "react";
import {
  offsetOf,
  SWIPE_THRESHOLD_PX,
  type SwipeDirection,
  swipeDecision,
  swipeDirectionOf,
} from "./swipe-direction.ts";

const DecisionSheet = lazy(() => import("./decision-sheet.tsx"));

interface SwipeCardProps {
  name: string;
  enabled: boolean;
  children: ReactNode;
}

/** Finds the card's button for an action. A swipe clicks these buttons, which also serve users who cannot swipe. */
const actOf = (card: HTMLElement | null, act: string) => {
  const button = card?.querySelector<HTMLButtonElement>(`[data-act=${act}]`);
  return button && !button.disabled ? button : null;
};

/**
 * On a narrow screen a swipe decides a draft. To the right it is sent, which can be undone for some seconds; to the left a sheet asks
 * whether to edit or reject it. Vertical movement scrolls the page. A gesture on an interactive element starts no swipe.
 */
export function SwipeCard({ name, enabled, children }: SwipeCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const start = useRef<{ id: number; x: number; y: number; course: SwipeDirection } | null>(null);
  const [dx, setDx] = useState(0);
  const [asking, setAsking] = useState(false);
  const may = () => ({ right: actOf(card.current, "send") !== null, left: true });

  function press(event: PointerEvent<HTMLElement>) {
    if (!enabled || !event.isPrimary || event.button !== 0 || matchMedia("(min-width: 768px)").matches) return;
    // Events of a dialog that the card has opened also bubble here.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if ((event.target as Element).closest("button, a, input, textarea, select, label")) return;
    start.current = { id: event.pointerId, x: event.clientX, y: event.clientY, course: "undecided" };
  }

  function move(event: PointerEvent<HTMLElement>) {
    const from = start.current;
    if (from === null || event.pointerId !== from.id) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (from.course === "undecided") {
      from.course = swipeDirectionOf(x, y);
      if (from.course === "page") start.current = null;
      if (from.course === "card") {
        event.currentTarget.setPointerCapture(from.id);
        // Dragging with a mouse would select the text.
        getSelection()?.removeAllRanges();
      }
    }
    if (from.course === "card") setDx(offsetOf(x, may()));
  }

  function end(event: PointerEvent<HTMLElement>, done: boolean) {
    const from = start.current;
    if (from === null || event.pointerId !== from.id) return;
    start.current = null;
    setDx(0);
    const meant = done && from.course === "card" ? swipeDecision(event.clientX - from.x, may()) : null;
    if (meant === "right") actOf(card.current, "send")?.click();
    if (meant === "left") setAsking(true);
  }

  return (
    <div className={clsx("relative rounded-lg", dx !== 0 && "overflow-hidden")}>
      {dx !== 0 && <Behind dx={dx} />}
      <div
        ref={card}
        data-swipe={dx === 0 ? undefined : ""}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={(event) => end(event, true)}
        onPointerCancel={(event) => end(event, false)}
        style={dx === 0 ? undefined : { transform: `translateX(${dx}px)` }}
        className={clsx(
          "relative rounded-lg bg-surface max-md:touch-pan-y",
          dx === 0 ? "transition-transform duration-200 motion-reduce:transition-none" : "select-none",
        )}
      >
        {children}
      </div>
      {asking && (
        <Suspense>
          <DecisionSheet
            name={name}
            onEdit={actOf(card.current, "edit") ? () => actOf(card.current, "edit")?.click() : undefined}
            onReject={() => actOf(card.current, "reject")?.click()}
            onClose={() => setAsking(false)}
            onLeft={() => card.current?.querySelector<HTMLElement>("article")?.focus()}
          />
        </Suspense>
      )}
    </div>
  );
}

function Behind({ dx }: { dx: number }) {
  const acts = Math.abs(dx) >= SWIPE_THRESHOLD_PX;
  return (
    <div
      aria-hidden
      className={clsx(
        "absolute inset-0 flex items-center gap-2 rounded-lg px-5 font-medium text-md",
        dx > 0 ? "bg-success-soft text-success-text" : "flex-row-reverse bg-warning-soft text-warning-text",
        !acts && "text-muted!",
      )}
    >
      {dx > 0 ? <Check aria-hidden className="icon" /> : <Pencil aria-hidden className="icon" />}
      {dx > 0 ? "Отправить" : "Изменить или отклонить"}
    </div>
  );
}
