import { clsx } from "clsx";
import { type ComponentProps, createContext, type KeyboardEvent, use, useEffect, useId, useRef } from "react";

// Tabs as WAI-ARIA describes them, with automatic activation. A library's cost every screen with tabs 9 KB and a forced
// recalculation of styles while it was first drawn (docs/decisions/003-third-party-libraries.md).

interface TabsState {
  value: string;
  onValueChange: (value: string) => void;
}

const TabsContext = createContext<(TabsState & { id: string }) | null>(null);

function useTabs(value: string) {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error("A tab stands outside <Tabs>");
  return {
    selected: tabs.value === value,
    select: () => tabs.onValueChange(value),
    tabId: `${tabs.id}-tab-${value}`,
    panelId: `${tabs.id}-panel-${value}`,
  };
}

export function Tabs({ value, onValueChange, ...props }: ComponentProps<"div"> & TabsState) {
  const id = useId();
  return (
    <TabsContext value={{ id, value, onValueChange }}>
      <div {...props} />
    </TabsContext>
  );
}

/**
 * `aria-label` names the set of tabs. Narrow screens scroll it sideways, to the chosen one; an edge that hides more of them fades. Its line is
 * a shadow inside it, which the tabs cover: to lie on a border they would have to reach out of the list, and what reaches out of a list that
 * scrolls is cut.
 */
export function TabsList({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      role="tablist"
      onKeyDown={moveBetweenTabs}
      className={clsx(
        "fade-edge flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]",
        className,
      )}
      {...props}
    />
  );
}

/** Arrows, Home and End show another tab; Tab leads past them all to the content. */
function moveBetweenTabs(event: KeyboardEvent<HTMLDivElement>) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const here = tabs.findIndex((tab) => tab.matches(":focus"));
  const place = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key];
  if (here === -1 || place === undefined) return;
  event.preventDefault();
  const next = tabs.at(place % tabs.length);
  next?.focus();
  next?.click();
}

export function TabsTrigger({ value, className, ...props }: ComponentProps<"button"> & { value: string }) {
  const { selected, select, tabId, panelId } = useTabs(value);
  const tab = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const [here, list] = [tab.current, tab.current?.parentElement];
    if (!selected || !here || !list) return;
    const start = here.offsetLeft - list.offsetLeft;
    const shown = start >= list.scrollLeft && start + here.offsetWidth <= list.scrollLeft + list.clientWidth;
    // The list scrolls sideways, never the page, and only to a tab that is cut: its neighbours stay where they are.
    if (!shown) list.scrollLeft = start - list.clientWidth / 4;
  }, [selected]);
  return (
    <button
      ref={tab}
      type="button"
      role="tab"
      id={tabId}
      aria-selected={selected}
      aria-controls={selected ? panelId : undefined}
      tabIndex={selected ? 0 : -1}
      onClick={() => {
        if (!selected) select();
      }}
      className={clsx(
        "h-control shrink-0 border-transparent border-b-2 px-3 font-medium text-md text-muted transition-colors hover:text-fg",
        "focus-visible:outline-offset-[-2px] aria-selected:border-primary aria-selected:text-primary-text",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ value, className, ...props }: ComponentProps<"div"> & { value: string }) {
  const { selected, tabId, panelId } = useTabs(value);
  if (!selected) return null;
  return (
    <div
      role="tabpanel"
      id={panelId}
      aria-labelledby={tabId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the way into a panel that holds nothing else to focus
      tabIndex={0}
      className={clsx("pt-5 focus-visible:outline-offset-4", className)}
      {...props}
    />
  );
}
