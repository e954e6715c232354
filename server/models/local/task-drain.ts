/** Retires without dropping work: the retirement ends when the last running task has ended. */
export class TaskDrain {
  readonly #leave: () => Promise<void>;
  #tasks = 0;
  /** Resolves when nothing is under way any more; undefined: it stays. */
  #left: PromiseWithResolvers<void> | undefined;

  /** @param leave is called each time when the last task has ended, and once at `retire` if there is none */
  constructor(leave: () => Promise<void>) {
    this.#leave = leave;
  }

  get retired(): boolean {
    return this.#left !== undefined;
  }

  /** A task comes. @returns what ends it, to be called once */
  begin(): () => void {
    this.#tasks++;
    return () => {
      this.#tasks--;
      this.#leaveIfDone();
    };
  }

  /** Tasks may still come; each time, the last of them leaves. */
  async retire(): Promise<void> {
    this.#left ??= Promise.withResolvers();
    this.#leaveIfDone();
    await this.#left.promise;
  }

  /** It stays after all. */
  keep(): void {
    this.#left?.resolve();
    this.#left = undefined;
  }

  #leaveIfDone(): void {
    const left = this.#left;
    if (left === undefined || this.#tasks > 0) return;
    this.#leave().then(left.resolve, left.reject);
  }
}
