import { clsx } from "clsx";
import { FolderOpen, Upload } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { Button } from "../button.tsx";
import { chosenFolder, droppedFiles } from "./dropped-files.ts";

interface FileDropProps {
  /** A verb with its object: «Перетащите файлы или выберите на устройстве». */
  label?: string;
  touchLabel?: string;
  hint?: string;
  /** The file input's `accept` attribute: ".txt,.pdf". Dropped files are not filtered by it, so the caller explains why one is rejected. */
  accept?: string;
  multiple?: boolean;
  /** Whether folders may be dropped and chosen too. Only their files of `accept` are taken, possibly none. */
  folders?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
}

/** Touch screens and phones offer no drag and drop of files. */
const isHandheld = () => matchMedia("(pointer: coarse), (width < 48rem)").matches;

export function FileDrop(props: FileDropProps) {
  const {
    label = "Перетащите файлы сюда или выберите на устройстве",
    touchLabel = props.label ?? "Выберите файлы",
    hint,
    accept,
    multiple = true,
    folders = false,
    disabled,
    onFiles,
  } = props;
  const [over, setOver] = useState(false);
  const id = useId();
  // The input is referenced here while the browser's file dialog is open, because it is not part of the page.
  const folderInput = useRef<HTMLInputElement>(null);
  const endings = accept?.split(",") ?? [];

  function take(list: FileList | null) {
    const files = [...(list ?? [])];
    if (files.length > 0 && !disabled) onFiles(multiple ? files : files.slice(0, 1));
  }

  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (disabled) return;
    if (folders) onFiles(await droppedFiles(event.dataTransfer, endings));
    else take(event.dataTransfer.files);
  }

  function chooseFolder() {
    const input = document.createElement("input");
    input.type = "file";
    input.webkitdirectory = true;
    input.addEventListener("change", () => onFiles(chosenFolder(input.files ?? [], endings)));
    folderInput.current = input;
    input.click();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way, the input below is the first
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        "relative flex flex-1 flex-col justify-center rounded-lg border border-control border-dashed transition-colors focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ring",
        over ? "bg-primary-soft" : "bg-surface hover:bg-hover",
        disabled && "pointer-events-none opacity-55",
      )}
    >
      <label htmlFor={id} className="flex cursor-pointer flex-col items-center gap-2 px-4 py-8 text-center">
        <Upload aria-hidden className="icon text-muted" />
        <span className="font-medium text-md">{isHandheld() ? touchLabel : label}</span>
        {hint && (
          <span id={`${id}-hint`} className="text-sm text-subtle">
            {hint}
          </span>
        )}
      </label>
      {folders && (
        <div className="-mt-4 flex justify-center pb-5">
          <Button variant="ghost" size="sm" disabled={disabled} onClick={chooseFolder}>
            <FolderOpen aria-hidden className="icon" />
            Выбрать папку
          </Button>
        </div>
      )}
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files);
          // The same file may be chosen again after a failure.
          event.target.value = "";
        }}
      />
    </div>
  );
}
