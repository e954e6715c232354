/** Number of zero crossings on each side of the windowed sinc filter, whose cutoff below half of the lower rate prevents aliasing. */
const CROSSINGS = 12;
/** Number of fractional positions with precomputed coefficients; rounding to the nearest is far below audibility. */
const PHASES = 160;

export class Resampler {
  readonly from: number;
  readonly #step: number;
  readonly #half: number;
  readonly #taps: readonly Float32Array[];
  /** Input samples that are still needed; the first is number `#at` of the input. */
  #tail: Float32Array;
  /** Position of the next output sample in `#tail`. */
  #next: number;

  constructor(from: number, to: number) {
    this.from = from;
    this.#step = from / to;
    const cut = Math.min(1, to / from);
    this.#half = Math.ceil(CROSSINGS / cut);
    this.#taps = Array.from({ length: PHASES }, (_, phase) => tapsOf(phase / PHASES, cut, this.#half));
    // Starts with silence before the first sample.
    this.#tail = new Float32Array(this.#half);
    this.#next = this.#half;
  }

  push(samples: Float32Array): Float32Array {
    if (this.#step === 1) return samples;
    const all = new Float32Array(this.#tail.length + samples.length);
    all.set(this.#tail);
    all.set(samples, this.#tail.length);
    const last = all.length - this.#half - 1;
    const out = new Float32Array(Math.max(0, Math.floor((last - this.#next) / this.#step) + 1));
    let position = this.#next;
    for (let at = 0; at < out.length; at++, position += this.#step) out[at] = this.#value(all, position);
    const from = Math.max(0, Math.floor(position) - this.#half);
    this.#tail = all.slice(from);
    this.#next = position - from;
    return out;
  }

  /** Returns the remaining output, as if silence followed. */
  end(): Float32Array {
    return this.#step === 1 ? new Float32Array(0) : this.push(new Float32Array(this.#half));
  }

  #value(samples: Float32Array, position: number): number {
    const whole = Math.floor(position);
    const taps = this.#taps[Math.min(PHASES - 1, Math.floor((position - whole) * PHASES))]!;
    let sum = 0;
    for (let tap = 0, at = whole - this.#half + 1; tap < taps.length; tap++, at++) sum += taps[tap]! * samples[at]!;
    return sum;
  }
}

function tapsOf(fraction: number, cut: number, half: number): Float32Array {
  const taps = new Float32Array(half * 2);
  let sum = 0;
  for (let tap = 0; tap < taps.length; tap++) {
    const distance = tap - half + 1 - fraction;
    const x = Math.PI * distance * cut;
    const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x;
    const window = 0.5 * (1 + Math.cos((Math.PI * distance) / half));
    taps[tap] = sinc * window;
    sum += taps[tap]!;
  }
  return taps.map((value) => value / sum);
}
