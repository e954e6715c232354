/** Limits the bytes of waiting files that the server holds in memory per organisation. */
export class ByteQuota {
  readonly #most: number;
  readonly #held = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Reserves bytes; returns false, without reserving any, when that would exceed the organisation's limit. */
  take(organizationId: string, bytes: number): boolean {
    const held = (this.#held.get(organizationId) ?? 0) + bytes;
    if (held > this.#most) return false;
    this.#held.set(organizationId, held);
    return true;
  }

  giveBack(organizationId: string, bytes: number): void {
    const held = (this.#held.get(organizationId) ?? 0) - bytes;
    if (held > 0) this.#held.set(organizationId, held);
    else this.#held.delete(organizationId);
  }
}
