import { useAddressState } from "#web/address-state.ts";

const TABS = ["sources", "messages", "documents", "sites", "facts"] as const;
export type KnowledgeTab = (typeof TABS)[number];
const ORDERS = ["new", "used"] as const;
const KINDS = ["paste", "export", "integration"] as const;
export type SourceKind = (typeof KINDS)[number];

interface Address {
  tab: KnowledgeTab;
  source: string;
  kind: SourceKind | "all";
  /** Search text for messages. */
  q: string;
  /** Platform of the shown messages. */
  platform: string;
  /** The twin whose sources, documents, facts and messages are shown. */
  twin: string;
  /** Id of a message that a link leads to. */
  message: string;
  /** Cursor of the page that shows that message. */
  before: string;
  doc: string;
  document: string;
  fact: string;
  /** Sort order of documents or sources; "" is the default. */
  order: (typeof ORDERS)[number] | "";
}

const defaults: Address = {
  tab: "sources",
  source: "",
  kind: "all",
  q: "",
  platform: "all",
  twin: "all",
  message: "",
  before: "",
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
    message: search.get("message") ?? "",
    before: search.get("before") ?? "",
    doc: text("doc"),
    document: search.get("document") ?? "",
    fact: text("fact"),
    order: ORDERS.find((order) => order === search.get("order")) ?? defaults.order,
  };
  return [address, change];
}
