import { clsx } from "clsx";
import { memo } from "react";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { BesideCells, type CellsProps, LineCells, PhoneCells } from "./row-cells.tsx";
import { RowChoice, RowFace } from "./row-face.tsx";

/**
 * The room of the list decides: one line where nothing is open, two beside an open conversation, three on a phone. Each form has elements of its
 * own: one that held them all and hid most took the layout four times as long whenever a conversation was opened (docs/performance.md).
 */
export type RowForm = keyof typeof cells;
const cells = { line: LineCells, beside: BesideCells, phone: PhoneCells } as const;

/** 44 px at a desk, so that the browser need not lay out a row below the window; the two lines there are without rules, which they would touch. */
const frames: Record<RowForm, string> = {
  line: "h-11 gap-3 border-b [content-visibility:auto] last:border-b-0",
  beside: "h-11 gap-3 [content-visibility:auto]",
  phone: "gap-3 border-b py-1.5 last:border-b-0",
};
const frame = "relative flex items-center px-3 md:px-4";

interface ConversationRowProps extends CellsProps {
  form: RowForm;
  /** Which of how many it is, from 1; -1: nobody knows how many. */
  place: number;
  of: number;
  selected: boolean;
  onOpen: (id: string) => void;
  /** Whether it is among those for an act on several. */
  chosen?: boolean;
  /** Whether any row is: then all show their boxes. */
  choosing?: boolean;
  /** Absent where nothing can be chosen. `range`: with all up to the one that was chosen before. */
  onChoose?: (id: string, range: boolean) => void;
}

/** A row of the list; all of it can be clicked. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { form, place, of, selected, onOpen, chosen = false, choosing = false, onChoose, ...said } = props;
  const { id, participantName: name, twinName, platform } = said.conversation;
  const Cells = cells[form];
  // The narrowest list has no room for both.
  const face = { name, platform, className: form === "beside" ? "max-xl:hidden" : undefined };
  return (
    <li
      aria-posinset={place}
      aria-setsize={of}
      className={clsx("group/row", frame, frames[form], selected || chosen ? "bg-primary-soft" : "hover:bg-hover")}
    >
      {onChoose ? (
        <RowChoice {...face} chosen={chosen} choosing={choosing} onChoose={(range) => onChoose(id, range)} />
      ) : (
        <RowFace {...face} />
      )}
      <Cells {...said} />
      <button
        type="button"
        data-conversation={id}
        aria-current={selected || undefined}
        aria-label={`Открыть чат: ${name}, ${twinName}`}
        onClick={() => onOpen(id)}
        className="group absolute inset-0 focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-[-3px]"
      >
        {form === "line" && (
          <span className="absolute end-3 top-1/2 -translate-y-1/2 bg-hover ps-3 font-medium text-primary-text text-sm opacity-0 group-hover:underline group-hover:opacity-100 md:end-4">
            Открыть чат
          </span>
        )}
      </button>
    </li>
  );
});

/** Placeholder with the size of a row. */
export function ConversationRowSkeleton() {
  return (
    <li aria-hidden className={clsx(frame, "gap-3 border-b py-1.5 lg:h-11")}>
      <Skeleton className="size-8 rounded-full!" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-32 max-w-full" />
        <Skeleton className="mt-1 h-3.5 w-full" />
      </div>
    </li>
  );
}
