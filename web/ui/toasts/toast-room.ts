/**
 * Space that toasts take at the top of the window. A dialog begins below them, so that they cover neither its
 * title nor its buttons. `--toast-room` is their height in pixels. While a dialog is open it only grows, because a
 * button that moved up with a disappearing toast would be missed by a click.
 */
import { useLayoutEffect } from "react";

let height = 0;
let room = 0;
let dialogs = 0;

function give(pixels: number) {
  room = pixels;
  document.documentElement.style.setProperty("--toast-room", `${pixels}px`);
}

/** @param pixels height of the visible toasts, 0 for none */
export function setToastHeight(pixels: number) {
  height = pixels;
  if (dialogs === 0 || pixels > room) give(pixels);
}

/** Registers a dialog or sheet, so that the space for toasts does not shrink while it is open. */
export function useToastRoom() {
  useLayoutEffect(() => {
    dialogs += 1;
    return () => {
      dialogs -= 1;
      if (dialogs === 0) give(height);
    };
  }, []);
}
