import { clsx } from "clsx";
import { type ComponentProps, createContext, type KeyboardEvent, use, useEffect, useId, useRef } from "react";

// Tabs as WAI-ARIA describes them, with automatic activation. A library added 9 KB to every screen with tabs and a forced
// style recalculation to its first paint (docs/decisions/003-third-party-libraries.md).

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
 * `aria-label` names the set of tabs. Narrow screens scroll it sideways to the selected tab, and an edge that hides tabs fades.
 * Its line is an inner shadow that the tabs cover. To cover a border they would have to overflow the list, and a scrolling list
 * clips its overflow.
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

/** Arrows, Home and End select another tab; Tab moves past all tabs to the content. */
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
    // Offsets are whole pixels, and half a pixel is cut off too.
    const [tabBox, listBox] = [here.getBoundingClientRect(), list.getBoundingClientRect()];
    const shown = tabBox.left >= listBox.left && tabBox.right <= listBox.right;
    // Scrolls the list sideways, never the page, and only to a tab that is cut off, so that its neighbours keep their place.
    if (!shown) list.scrollLeft += tabBox.left - listBox.left - list.clientWidth / 4;
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
