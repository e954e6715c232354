import { useAddressState } from "#web/address-state.ts";

export type TrainTab = "documents" | "dialogues";

interface Address {
  tab: TrainTab;
  from: "paste" | "file";
  twin: string;
  import: string;
  q: string;
}

const defaults: Address = { tab: "documents", from: "paste", twin: "", import: "", q: "" };

/** Keeps the state of /train-ai in its URL, so that a reload and a shared link show the same; defaults are left out. */
export function useTrainAiAddress(): [Address, (changes: Partial<Address>) => void] {
  const [search, change] = useAddressState(defaults);
  const address: Address = {
    tab: search.get("tab") === "dialogues" ? "dialogues" : "documents",
    from: search.get("from") === "file" ? "file" : "paste",
    twin: search.get("twin") ?? "",
    import: search.get("import") ?? "",
    q: search.get("q") ?? "",
  };
  return [address, change];
}
