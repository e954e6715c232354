import { type ReactNode, useSyncExternalStore } from "react";
import { useSearchParams } from "wouter";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "./tabs.tsx";

interface AddressTab {
  id: string;
  label: string;
  /** Whether a phone has no tab for it; another element leads there, and it is shown alone. */
  desktopOnly?: boolean;
  content: () => ReactNode;
}

interface AddressTabsProps {
  label: string;
  /** The first tab is the default, without `?tab=`. */
  tabs: AddressTabList;
}
export type AddressTabList = readonly [AddressTab, ...AddressTab[]];

const tablet = matchMedia("(min-width: 48rem)");

/** false below 768 px, where the phone's layout applies. */
export function useIsTabletOrWider(): boolean {
  return useSyncExternalStore(
    (listener) => {
      tablet.addEventListener("change", listener);
      return () => tablet.removeEventListener("change", listener);
    },
    () => tablet.matches,
  );
}

/** The tab in the address that a phone shows as a separate screen, with its own title and a way back. */
export function useStandaloneTab(tabs: AddressTabList): AddressTab | undefined {
  const [search] = useSearchParams();
  const wide = useIsTabletOrWider();
  return wide ? undefined : tabs.find(({ id, desktopOnly }) => desktopOnly && id === search.get("tab"));
}

/** Tabs whose choice is stored in the address, so that a reload and a link show the same. */
export function AddressTabs({ label, tabs }: AddressTabsProps) {
  const [search, setSearch] = useSearchParams();
  const wide = useIsTabletOrWider();
  const lone = useStandaloneTab(tabs);
  const shown = tabs.filter(({ desktopOnly }) => wide || !desktopOnly);
  const chosen = shown.find(({ id }) => id === search.get("tab")) ?? tabs[0];

  function choose(id: string) {
    // A search belongs to one tab, so changing the tab clears it.
    setSearch(id === tabs[0].id ? {} : { tab: id }, { replace: true });
  }

  if (lone) return <div className="space-y-6">{lone.content()}</div>;
  return (
    <Tabs value={chosen.id} onValueChange={choose}>
      <TabsList aria-label={label}>
        {shown.map(({ id, label }) => (
          <TabsTrigger key={id} value={id}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {shown.map(({ id, content }) => (
        <TabsContent key={id} value={id} className="space-y-6">
          {content()}
        </TabsContent>
      ))}
    </Tabs>
  );
}
