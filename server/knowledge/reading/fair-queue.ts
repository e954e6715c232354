/** Work that waits, taken from one organisation after the other: whoever sends a thousand documents is one among all who send. */
export class FairQueue<Work> {
  /** Whose turn it is next stands first. */
  readonly #waiting = new Map<string, Work[]>();

  /** How much of an organisation's work waits. */
  waiting(organizationId: string): number {
    return this.#waiting.get(organizationId)?.length ?? 0;
  }

  add(organizationId: string, work: Work): void {
    const own = this.#waiting.get(organizationId);
    if (own === undefined) this.#waiting.set(organizationId, [work]);
    else own.push(work);
  }

  /** False when it waits no more. */
  remove(organizationId: string, work: Work): boolean {
    const own = this.#waiting.get(organizationId);
    const place = own?.indexOf(work) ?? -1;
    if (own === undefined || place < 0) return false;
    own.splice(place, 1);
    if (own.length === 0) this.#waiting.delete(organizationId);
    return true;
  }

  /** The oldest work of the organisation whose turn it is, passing over those that are busy. */
  take(busy: ReadonlySet<string>): Work | undefined {
    for (const [organizationId, own] of this.#waiting) {
      if (busy.has(organizationId)) continue;
      const work = own.shift()!;
      this.#waiting.delete(organizationId);
      if (own.length > 0) this.#waiting.set(organizationId, own);
      return work;
    }
    return undefined;
  }
}
