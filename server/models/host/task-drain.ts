/** Delays retirement until the last running task has ended, so that no work is lost. */
export class TaskDrain {
  readonly #leave: () => Promise<void>;
  #tasks = 0;
  /** Resolves when no task is running any more; undefined: not retiring. */
  #left: PromiseWithResolvers<void> | undefined;

  /** @param leave called whenever the last task ends during retirement, and once by `retire` if there is none */
  constructor(leave: () => Promise<void>) {
    this.#leave = leave;
  }

  get retired(): boolean {
    return this.#left !== undefined;
  }

  /** Counts a new task. @returns a function to call once when the task ends */
  begin(): () => void {
    this.#tasks++;
    return () => {
      this.#tasks--;
      this.#leaveIfDone();
    };
  }

  /** Starts retirement. Tasks may still arrive; `leave` runs again after the last of them. */
  async retire(): Promise<void> {
    this.#left ??= Promise.withResolvers();
    this.#leaveIfDone();
    await this.#left.promise;
  }

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
