/** Greyscale pictures, one byte a pixel: turned upright and scaled to the size at which tesseract reads letters best. */

export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** EXIF orientation, from 1 (upright) to 8. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export function applyOrientation(grey: Grey, orientation: Orientation): Grey {
  if (orientation === 1) return grey;
  const { width: from, height: rows, pixels } = grey;
  const lying = orientation > 4;
  const [width, height] = lying ? [rows, from] : [from, rows];
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Position of the pixel in the stored picture.
      let [column, row] = lying ? [y, x] : [x, y];
      if (orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8) column = from - 1 - column;
      if (orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7) row = rows - 1 - row;
      out[y * width + x] = pixels[row * from + column]!;
    }
  }
  return { width, height, pixels: out };
}

/**
 * Length of the long side at which a page's letters have the height that tesseract was trained on; messengers' previews are far smaller.
 * Scaling a preview up removes two thirds of its wrong characters; beyond this size only grain grows. Photographs are scaled down to save
 * time.
 */
const WANTED = 1400;
const LARGEST = 2600;
const MOST_TIMES = 3;

export function scaleFor({ width, height }: Pick<Grey, "width" | "height">): number {
  const side = Math.max(width, height);
  if (side < WANTED) return Math.min(MOST_TIMES, WANTED / side);
  return side > LARGEST ? LARGEST / side : 1;
}

/** Interpolates between pixels when it enlarges, and averages them when it shrinks. */
export function scaleImage(grey: Grey, times: number): Grey {
  if (times === 1) return grey;
  const width = Math.max(1, Math.round(grey.width * times));
  const height = Math.max(1, Math.round(grey.height * times));
  const pixels = new Uint8Array(width * height);
  const columns = spansOf(grey.width, width);
  const rows = spansOf(grey.height, height);
  for (let y = 0; y < height; y++) {
    const row = rows[y]!;
    for (let x = 0; x < width; x++) {
      const column = columns[x]!;
      let sum = 0;
      for (let at = 0; at < row.weights.length; at++) {
        const begin = (row.from + at) * grey.width + column.from;
        let line = 0;
        for (let place = 0; place < column.weights.length; place++)
          line += grey.pixels[begin + place]! * column.weights[place]!;
        sum += line * row.weights[at]!;
      }
      pixels[y * width + x] = Math.round(sum);
    }
  }
  return { width, height, pixels };
}

interface Span {
  from: number;
  /** The weights sum to 1. */
  weights: number[];
}

/** Computes which of the `from` source positions contribute to each of the `to` target positions. */
function spansOf(from: number, to: number): Span[] {
  const step = from / to;
  const reach = Math.max(1, step);
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * step - 0.5;
    const first = Math.max(0, Math.ceil(centre - reach));
    const last = Math.min(from - 1, Math.floor(centre + reach));
    const weights: number[] = [];
    for (let place = first; place <= last; place++) weights.push(Math.max(0, 1 - Math.abs(place - centre) / reach));
    const sum = weights.reduce((all, one) => all + one, 0);
    // At the very edge no source position may be in reach.
    if (sum === 0) return { from: Math.min(from - 1, Math.max(0, Math.round(centre))), weights: [1] };
    return { from: first, weights: weights.map((weight) => weight / sum) };
  });
}

export function pgmOf({ width, height, pixels }: Grey): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1"), pixels]);
}
