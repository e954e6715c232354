/** mtcute's storage on top of texts stored elsewhere: an integration's encrypted state, or a login's. */
import type { IPeersRepository, ITelegramStorageProvider } from "@mtcute/core";

/** Stores the entries by key; null removes one. */
type WriteState = (changes: ReadonlyMap<string, string | null>) => Promise<void>;

/** Kept in memory as a whole: a few hundred bytes for each person that the account knows. */
export class AccountStorage implements ITelegramStorageProvider {
  readonly #entries: Map<string, string>;
  readonly #write: WriteState;
  #changes = new Map<string, string | null>();
  #writing = Promise.resolve();

  constructor(entries: Map<string, string>, write: WriteState) {
    this.#entries = entries;
    this.#write = write;
  }

  /** Returns all entries, in the form that the constructor takes. */
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

  /** Stored immediately, because losing a key loses the session. */
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

  /** People are looked up by id only; we never use user names or phone numbers. */
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

  /** Needed only for members of groups, which are never answered. */
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

  /** Writes run one after another, so that a later change is written later. */
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
