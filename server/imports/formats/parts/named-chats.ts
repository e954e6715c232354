import type { ImportedChat } from "../message.ts";

/** Gives ids to chats of formats without ids: by the chat's name, else by the file's name. */
export class NamedChats {
  readonly #unnamed: string;
  readonly #told = new Set<string>();

  constructor(fileName: string) {
    this.#unnamed = fileName.replace(/^.*\//, "").replace(/\.\w{1,5}$/, "") || "Переписка";
  }

  /** Returns the chat's id; `told` is the chat on its first occurrence, afterwards null. */
  take(named: string): { id: string; told: ImportedChat | null } {
    const name = named || this.#unnamed;
    const id = `named:${name}`.slice(0, 300);
    if (this.#told.has(id)) return { id, told: null };
    this.#told.add(id);
    return { id, told: { id, name, kind: "private", assumed: true } };
  }
}
