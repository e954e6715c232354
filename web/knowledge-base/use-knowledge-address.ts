import { useAddressState } from "#web/address-state.ts";

export type KnowledgeTab = "sources" | "messages";

interface Address {
  tab: KnowledgeTab;
  /** What is looked for among the sources. */
  source: string;
  /** What is looked for in the messages, and where. */
  q: string;
  platform: string;
  twin: string;
}

const defaults: Address = { tab: "sources", source: "", q: "", platform: "all", twin: "all" };

/** Keeps the screen's state in its URL, so that a reload and a shared link show the same; defaults are left out. */
export function useKnowledgeAddress(): [Address, (changes: Partial<Address>) => void] {
  const [search, change] = useAddressState(defaults);
  const address: Address = {
    tab: search.get("tab") === "messages" ? "messages" : "sources",
    source: search.get("source") ?? defaults.source,
    q: search.get("q") ?? defaults.q,
    platform: search.get("platform") || defaults.platform,
    twin: search.get("twin") || defaults.twin,
  };
  return [address, change];
}
