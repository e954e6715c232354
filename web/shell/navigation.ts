import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { shortCount } from "#web/parts/waiting/short-count.ts";

let navigated = false;
let byHistory = false;

/** Once at the root: notes that the person moved inside the application and starts the new screen at its top. */
export function useNavigation() {
  const [path] = useLocation();
  const first = useRef(path);
  useEffect(() => {
    const back = () => {
      byHistory = true;
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useEffect(() => {
    if (path === first.current && !navigated) return;
    navigated = true;
    // Back and forward keep the place that the browser remembers.
    if (!byHistory) scrollTo(0, 0);
    byHistory = false;
  }, [path]);
}

/** For the screen's h1: takes the focus after a navigation (not on the first load) and names the document. */
export function useScreenHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    // The root's effect runs after this one; the address tells in the meantime.
    if (!navigated && path === startPath) return;
    // Not from a dialog that was opened while the screen was fetched: its field would lose what is typed there.
    if (!document.activeElement?.closest("[role$=dialog]")) heading.current?.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    screenTitle = title;
    nameDocument();
  }, [title]);
  return heading;
}

let screenTitle: string | null = null;
let waiting = 0;

/** «(3) Диалоги · Цифровые двойники»: what waits for the person shows in the browser's tab too; 0: nothing. */
export function showInTitle(count: number) {
  waiting = count;
  nameDocument();
}

function nameDocument() {
  if (screenTitle === null) return;
  document.title = `${waiting > 0 ? `(${shortCount(waiting)}) ` : ""}${screenTitle} · Цифровые двойники`;
}

const startPath = typeof location === "undefined" ? "" : location.pathname;
