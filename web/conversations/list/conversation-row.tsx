import { clsx } from "clsx";
import { memo } from "react";
import { buttonClass } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { BesideCells, type CellsProps, LineCells, PhoneCells } from "./row-cells.tsx";
import { RowChoice, RowFace } from "./row-face.tsx";

/**
 * Layout of a row by the width of the list: two lines with nothing open, four beside an open conversation, more on a phone. Each has its own
 * elements: a common set with most of them hidden made opening a conversation take four times as long in layout (docs/performance.md).
 */
type RowForm = keyof typeof cells;
const cells = { line: LineCells, beside: BesideCells, phone: PhoneCells } as const;

/** At desktop width rows have a fixed height, so that the browser need not lay out those below the window. */
const frames: Record<RowForm, string> = {
  line: "h-15 gap-4 border-b [content-visibility:auto] last:border-b-0",
  beside: "h-27 gap-3 [content-visibility:auto]",
  phone: "items-start! gap-3 border-b py-3 last:border-b-0",
};
const frame = "relative flex items-center px-3 md:px-4";

interface ConversationRowProps extends Omit<CellsProps, "open"> {
  form: RowForm;
  /** Position in the list, from 1; `of` is -1 when the total is unknown. */
  place: number;
  of: number;
  selected: boolean;
  onOpen: (id: string) => void;
  chosen?: boolean;
  /** Whether any row is selected, in which case all rows show their checkboxes. */
  choosing?: boolean;
  /** Absent where rows cannot be selected. `range` also selects all rows from the previously selected one. */
  onChoose?: (id: string, range: boolean) => void;
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { form, place, of, selected, onOpen, chosen = false, choosing = false, onChoose, ...said } = props;
  const { id, participantName: name, twinName, platform } = said.conversation;
  const Cells = cells[form];
  // The narrowest list has no space for both the avatar and the checkbox.
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
      <Cells
        {...said}
        open={
          <button
            type="button"
            data-conversation={id}
            aria-current={selected || undefined}
            aria-label={`Открыть чат: ${name}, ${twinName}`}
            onClick={() => onOpen(id)}
            className={buttonClass(
              "outline",
              "sm",
              clsx("after:absolute after:inset-0", form === "beside" && "h-6! px-2!"),
            )}
          >
            Открыть чат
          </button>
        }
      />
    </li>
  );
});

export function ConversationRowSkeleton() {
  return (
    <li aria-hidden className={clsx(frame, "gap-3 border-b py-3 lg:h-15")}>
      <Skeleton className="size-8 rounded-full!" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-32 max-w-full" />
        <Skeleton className="mt-1 h-3.5 w-full" />
      </div>
    </li>
  );
}
