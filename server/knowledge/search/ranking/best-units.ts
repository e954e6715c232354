/** The `limit` units with the highest scores so far: a min-heap over two parallel arrays. */
export class BestUnits {
  readonly #limit: number;
  readonly #units: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#units.length >= this.#limit;
  }

  /** Only a unit with a higher score may enter the heap. */
  get threshold(): number {
    return this.isFull ? (this.#scores[0] ?? Number.POSITIVE_INFINITY) : 0;
  }

  /** Call only with a score above the threshold. */
  offer(unit: number, score: number): void {
    if (this.isFull) this.#sinkFromRoot(unit, score);
    else this.#rise(unit, score);
  }

  inOrder(): number[] {
    const order = [...this.#units.keys()].sort((one, other) => this.#scores[other]! - this.#scores[one]!);
    return order.map((at) => this.#units[at]!);
  }

  #rise(unit: number, score: number): void {
    let at = this.#units.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#scores[parent]! <= score) break;
      this.#units[at] = this.#units[parent]!;
      this.#scores[at] = this.#scores[parent]!;
      at = parent;
    }
    this.#units[at] = unit;
    this.#scores[at] = score;
  }

  #sinkFromRoot(unit: number, score: number): void {
    const size = this.#units.length;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#scores[child + 1]! < this.#scores[child]!) child++;
      if (this.#scores[child]! >= score) break;
      this.#units[at] = this.#units[child]!;
      this.#scores[at] = this.#scores[child]!;
      at = child;
    }
    this.#units[at] = unit;
    this.#scores[at] = score;
  }
}
