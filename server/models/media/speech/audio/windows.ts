/** Cuts a recording at its quietest places into windows for the recogniser, and leaves out silence. */
import { SAMPLE_RATE } from "./samples.ts";

interface Window {
  /** In samples from the beginning. */
  from: number;
  to: number;
}

const FRAME = SAMPLE_RATE / 50;
/** Maximum length of a window in samples: speech models are trained on less than half a minute. */
const LONGEST = 20 * SAMPLE_RATE;
/** Minimum length of a window in samples before a cut. */
const EARLIEST = 10 * SAMPLE_RATE;
/** Number of frames of a quiet place: a fifth of a second. */
const QUIET = 10;
/** Loudness below which there is no speech: −54 dB of full scale. */
const SILENCE = 0.002;
/** Minimum number of louder frames in speech, so that a click does not count. */
const SPOKEN = 5;

/** Returns the windows in order; gaps between them are silent. */
export function windowsOf(samples: Float32Array): Window[] {
  const loud = loudness(samples);
  const windows: Window[] = [];
  for (let from = 0; from < samples.length; ) {
    const to = samples.length - from <= LONGEST ? samples.length : quietest(loud, from + EARLIEST, from + LONGEST);
    if (isSpoken(loud, from, to)) windows.push({ from, to });
    from = to;
  }
  return windows;
}

/** Returns the root mean square of each frame. */
function loudness(samples: Float32Array): Float32Array {
  const loud = new Float32Array(Math.ceil(samples.length / FRAME));
  for (let frame = 0; frame < loud.length; frame++) {
    const end = Math.min(samples.length, (frame + 1) * FRAME);
    let sum = 0;
    for (let at = frame * FRAME; at < end; at++) sum += samples[at]! * samples[at]!;
    loud[frame] = Math.sqrt(sum / (end - frame * FRAME));
  }
  return loud;
}

function quietest(loud: Float32Array, from: number, to: number): number {
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let frame = Math.ceil(from / FRAME); (frame + QUIET) * FRAME <= to; frame++) {
    let sum = 0;
    for (let at = frame; at < frame + QUIET; at++) sum += loud[at]!;
    // Of equally quiet places the later one is taken, which gives fewer windows.
    if (sum > least) continue;
    least = sum;
    best = (frame + QUIET / 2) * FRAME;
  }
  return best;
}

function isSpoken(loud: Float32Array, from: number, to: number): boolean {
  let spoken = 0;
  for (let frame = Math.floor(from / FRAME); frame * FRAME < to; frame++)
    if (loud[frame]! > SILENCE && ++spoken >= SPOKEN) return true;
  return false;
}
