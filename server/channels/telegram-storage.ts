/** mtcute's storage over texts that somebody else keeps: an integration's sealed state, or a login's. */
import type { IPeersRepository, ITelegramStorageProvider } from "@mtcute/core";

/** Keeps the entries under these keys; null forgets one. */
export type WriteState = (changes: ReadonlyMap<string, string | null>) => Promise<void>;

/** Held in memory as a whole: a few hundred bytes for each person that the account knows. */
export class AccountStorage implements ITelegramStorageProvider {
  readonly #entries: Map<string, string>;
  readonly #write: WriteState;
  #changes = new Map<string, string | null>();
  #writing = Promise.resolve();

  constructor(entries: Map<string, string>, write: WriteState) {
    this.#entries = entries;
    this.#write = write;
  }

  /** Everything, as it may be given to the constructor. */
  entries(): [string, string][] {
    return [...this.#entries];
  }

  readonly driver = {
    save: () => this.#flush(),
    destroy: () => this.#flush(),
  };

  readonly kv = {
    set: (key: string, value: Uint8Array) => this.#set(`kv:${key}`, encode(value)),
    get: (key: string) => decode(this.#entries.get(`kv:${key}`)),
    delete: (key: string) => this.#set(`kv:${key}`, null),
    deleteAll: () => this.#forget("kv:"),
  };

  /** Kept at once: a key that is lost is a session that is lost. */
  readonly authKeys = {
    set: (dc: number, key: Uint8Array | null) => this.#setNow(`key:${dc}`, key && encode(key)),
    get: (dc: number) => decode(this.#entries.get(`key:${dc}`)),
    setTemp: (dc: number, place: number, key: Uint8Array | null, expires: number) =>
      this.#setNow(`temporary:${dc}:${place}`, key && `${expires}:${encode(key)}`),
    getTemp: (dc: number, place: number, now: number) => {
      const [expires, key] = this.#entries.get(`temporary:${dc}:${place}`)?.split(":") ?? [];
      return Number(expires ?? 0) > now ? decode(key) : null;
    },
    deleteByDc: (dc: number) => {
      this.#forget(`temporary:${dc}:`);
      return this.#setNow(`key:${dc}`, null);
    },
    deleteAll: () => {
      this.#forget("temporary:");
      this.#forget("key:");
      return this.#flush();
    },
  };

  /** People are found by id alone: nothing of ours asks for a username or a phone number. */
  readonly peers = {
    store: ({ complete, ...peer }: IPeersRepository.PeerInfo) =>
      this.#set(`peer:${peer.id}`, JSON.stringify({ ...peer, complete: encode(complete) })),
    getById: (id: number): IPeersRepository.PeerInfo | null => {
      const kept = this.#entries.get(`peer:${id}`);
      if (kept === undefined) return null;
      const peer = JSON.parse(kept);
      return { ...peer, complete: decode(peer.complete) };
    },
    getByUsername: () => null,
    getByPhone: () => null,
    deleteAll: () => this.#forget("peer:"),
  };

  /** Needed for members of groups alone, and groups are never answered. */
  readonly refMessages = {
    store: () => {},
    getByPeer: () => null,
    delete: () => {},
    deleteByPeer: () => {},
    deleteAll: () => {},
  };

  #set(key: string, value: string | null): void {
    if (this.#entries.get(key) === (value ?? undefined)) return;
    if (value === null) this.#entries.delete(key);
    else this.#entries.set(key, value);
    this.#changes.set(key, value);
  }

  #setNow(key: string, value: string | null): Promise<void> {
    this.#set(key, value);
    return this.#flush();
  }

  #forget(prefix: string): void {
    for (const key of [...this.#entries.keys()]) if (key.startsWith(prefix)) this.#set(key, null);
  }

  /** One after another: what was changed later is written later. */
  #flush(): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.#changes.size === 0) return;
      const changes = this.#changes;
      this.#changes = new Map();
      try {
        await this.#write(changes);
      } catch (error) {
        this.#changes = new Map([...changes, ...this.#changes]);
        throw error;
      }
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const decode = (text: string | undefined): Uint8Array | null =>
  text === undefined ? null : new Uint8Array(Buffer.from(text, "base64"));
