import { useAddressState } from "#web/address-state.ts";

const TABS = ["sources", "messages", "documents", "sites", "facts"] as const;
export type KnowledgeTab = (typeof TABS)[number];
const ORDERS = ["new", "used"] as const;
const KINDS = ["paste", "export", "integration"] as const;
export type SourceKind = (typeof KINDS)[number];

interface Address {
  tab: KnowledgeTab;
  /** What is looked for among the sources. */
  source: string;
  /** Where the sources come from that are shown. */
  kind: SourceKind | "all";
  /** What is looked for in the messages, and where; the twin filters sources, documents and facts too. */
  q: string;
  platform: string;
  twin: string;
  /** What is looked for among documents and facts. */
  doc: string;
  /** The document that stands open, by its id. */
  document: string;
  fact: string;
  /** Which of the documents or of the sources come first; "": what is usual there. */
  order: (typeof ORDERS)[number] | "";
}

const defaults: Address = {
  tab: "sources",
  source: "",
  kind: "all",
  q: "",
  platform: "all",
  twin: "all",
  doc: "",
  document: "",
  fact: "",
  order: "",
};

export type KnowledgeAddress = Address;
export type ChangeAddress = (changes: Partial<Address>) => void;

/** Keeps the screen's state in its URL, so that a reload and a shared link show the same; defaults are left out. */
export function useKnowledgeAddress(): [Address, ChangeAddress] {
  const [search, change] = useAddressState(defaults);
  const text = (name: "source" | "q" | "doc" | "fact") => search.get(name) ?? defaults[name];
  const address: Address = {
    tab: TABS.find((tab) => tab === search.get("tab")) ?? defaults.tab,
    source: text("source"),
    kind: KINDS.find((kind) => kind === search.get("kind")) ?? "all",
    q: text("q"),
    platform: search.get("platform") || defaults.platform,
    twin: search.get("twin") || defaults.twin,
    doc: text("doc"),
    document: search.get("document") ?? "",
    fact: text("fact"),
    order: ORDERS.find((order) => order === search.get("order")) ?? defaults.order,
  };
  return [address, change];
}
