import { Button } from "../button.tsx";

interface DraftNoteProps {
  restored: "whole" | "partly" | null;
  onUndo: () => void;
}

/** Says that a form shows a restored draft instead of the stored values, and offers to discard it. */
export function DraftNote({ restored, onUndo }: DraftNoteProps) {
  if (restored === null) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border px-4 py-2 text-md">
      <span>
        Восстановлен черновик
        {restored === "partly" && ". Поля, которые тем временем изменили, показаны в новом виде"}
      </span>
      <span aria-hidden>·</span>
      <Button size="sm" variant="ghost" onClick={onUndo}>
        Отменить
      </Button>
    </p>
  );
}
