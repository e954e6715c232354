/** A queue that serves organisations in turn, so that one with a thousand documents does not delay the others. */
export class RoundRobinQueue<Work> {
  /** Organisations with waiting work, next one first. */
  readonly #waiting = new Map<string, Work[]>();

  waiting(organizationId: string): number {
    return this.#waiting.get(organizationId)?.length ?? 0;
  }

  add(organizationId: string, work: Work): void {
    const own = this.#waiting.get(organizationId);
    if (own === undefined) this.#waiting.set(organizationId, [work]);
    else own.push(work);
  }

  remove(organizationId: string, work: Work): boolean {
    const own = this.#waiting.get(organizationId);
    const place = own?.indexOf(work) ?? -1;
    if (own === undefined || place < 0) return false;
    own.splice(place, 1);
    if (own.length === 0) this.#waiting.delete(organizationId);
    return true;
  }

  /** Returns the oldest item of the next organisation, skipping busy organisations. */
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
