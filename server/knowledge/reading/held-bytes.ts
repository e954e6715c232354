/** Files that lie in the server's memory until they are read: so many bytes of each organisation, and not one more. */
export class HeldBytes {
  readonly #most: number;
  readonly #held = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** False when the organisation may hold no more; then nothing is counted. */
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
