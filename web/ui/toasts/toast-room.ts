/**
 * What stands above a dialog at the top of the window: the toasts. A dialog begins under them, so that they cover neither its
 * title nor its buttons. `--toast-room` is their height in pixels; while a dialog is open it only grows, because a
 * button that moves up when a toast leaves would be missed by who is about to press it.
 */
import { useLayoutEffect } from "react";

let height = 0;
let room = 0;
let dialogs = 0;

function give(pixels: number) {
  room = pixels;
  document.documentElement.style.setProperty("--toast-room", `${pixels}px`);
}

/** @param pixels of the toasts that stand now, 0 for none */
export function setToastHeight(pixels: number) {
  height = pixels;
  if (dialogs === 0 || pixels > room) give(pixels);
}

/** Registers a dialog or sheet, so that the room for toasts does not shrink while it is open. */
export function useToastRoom() {
  useLayoutEffect(() => {
    dialogs += 1;
    return () => {
      dialogs -= 1;
      if (dialogs === 0) give(height);
    };
  }, []);
}
