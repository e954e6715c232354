import { type RefObject, useEffect } from "react";
import { isTyping } from "../list-keys.ts";

const ACTS: Record<string, string> = { KeyA: "send", KeyE: "edit", KeyR: "reject" };

/**
 * A sends the draft that has the focus, E edits it, R rejects it. They act on nothing that has no focus, so that no slip of a finger
 * elsewhere decides anything (WCAG 2.1.4). Layout-independent (`KeyboardEvent.code`).
 */
export function useActKeys(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const act = ACTS[event.code];
      if (act === undefined || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || isTyping(event.target) || !box.current?.contains(event.target)) return;
      const article = event.target.closest("article");
      const button = article?.querySelector<HTMLButtonElement>(`[data-act=${act}]`);
      // Where the twin knows no answer the field is open already.
      const field = act === "edit" && !button ? article?.querySelector("textarea") : null;
      if (!field && (!button || button.disabled)) return;
      event.preventDefault();
      if (field) return field.focus();
      button?.click();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box]);
}

/** J and K (or N) move the focus from draft to draft; the draft after one that was decided gets it. */
export function useDraftListKeys(list: RefObject<HTMLElement | null>) {
  useActKeys(list);
  useEffect(() => {
    const articles = () => [...(list.current?.querySelectorAll<HTMLElement>("article") ?? [])];
    function press(event: KeyboardEvent) {
      const step = { KeyJ: 1, KeyN: 1, KeyK: -1 }[event.code];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const all = articles();
      const at = all.findIndex((article) => article.contains(document.activeElement));
      const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [list]);

  useEffect(() => {
    const here = list.current;
    if (here === null) return;
    let place = -1;
    const remember = (event: FocusEvent) => {
      place = [...here.querySelectorAll("article")].findIndex((article) => article.contains(event.target as Node));
    };
    const followed = new MutationObserver(() => {
      const all = here.querySelectorAll<HTMLElement>("article");
      if (place < 0 || all.length === 0 || document.activeElement !== document.body) return;
      all[Math.min(place, all.length - 1)]!.focus();
    });
    here.addEventListener("focusin", remember);
    followed.observe(here, { childList: true });
    return () => {
      here.removeEventListener("focusin", remember);
      followed.disconnect();
    };
  }, [list]);
}
