import type { ImportedChat } from "./message.ts";

/** Chats of files that give them no ids: known by their name, or else by the file's. */
export class NamedChats {
  readonly #unnamed: string;
  readonly #told = new Set<string>();

  constructor(fileName: string) {
    this.#unnamed = fileName.replace(/^.*\//, "").replace(/\.\w{1,5}$/, "") || "Переписка";
  }

  /** The chat's id; `told` when it comes for the first time. */
  take(named: string): { id: string; told: ImportedChat | null } {
    const name = named || this.#unnamed;
    const id = `named:${name}`.slice(0, 300);
    if (this.#told.has(id)) return { id, told: null };
    this.#told.add(id);
    return { id, told: { id, name, kind: "private", assumed: true } };
  }
}
