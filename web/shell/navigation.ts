import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { shortCount } from "#web/parts/waiting/short-count.ts";

let navigated = false;
let byHistory = false;

/** Used once at the root: records that the user navigated inside the application and scrolls the new screen to its top. */
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
    // Back and forward keep the scroll position that the browser restores.
    if (!byHistory) scrollTo(0, 0);
    byHistory = false;
  }, [path]);
}

/** For the screen's h1: takes the focus after a navigation (not on the first load) and names the document. */
export function useScreenHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    // The root's effect runs after this one, so the path shows whether there was a navigation.
    if (!navigated && path === startPath) return;
    // A dialog that was opened while the screen was loading keeps the focus, because its field would lose typed text.
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

/** Shows the number of waiting items in the browser's tab: «(3) Диалоги · Цифровые двойники»; 0 shows none. */
export function showInTitle(count: number) {
  waiting = count;
  nameDocument();
}

function nameDocument() {
  if (screenTitle === null) return;
  document.title = `${waiting > 0 ? `(${shortCount(waiting)}) ` : ""}${screenTitle} · Цифровые двойники`;
}

const startPath = typeof location === "undefined" ? "" : location.pathname;
