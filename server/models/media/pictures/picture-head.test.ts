import { expect, test } from "vitest";
import { normalizeBrightness, toDarkOnLight } from "./flatten.ts";
import { applyOrientation, type Grey, type Orientation, scaleFor, scaleImage } from "./grey.ts";
import { readPictureHead } from "./picture-head.ts";

/** Builds a JPEG's head: EXIF with an orientation, a comment, a frame. */
function jpeg(orientation: number, small: boolean): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write(small ? "II*\0" : "MM\0*", "latin1");
  const u16 = (value: number, at: number) => (small ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at));
  small ? tiff.writeUInt32LE(8, 4) : tiff.writeUInt32BE(8, 4);
  u16(1, 8);
  u16(0x0112, 10);
  u16(3, 12);
  u16(orientation, 18);
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]),
    exif,
    Buffer.from([0xff, 0xff, 0xfe, 0, 3, 65]),
    frame,
  ]);
}

test.each([true, false])(
  "a photograph's head says how large it is and how it was held (little-endian: %s)",
  (small) => {
    expect(readPictureHead(jpeg(6, small))).toEqual({ width: 40, height: 30, orientation: 6 });
    expect(readPictureHead(jpeg(99, small))).toMatchObject({ orientation: 1 });
  },
);

test("a head that is cut anywhere is none, and never an error", () => {
  const whole = jpeg(3, true);
  for (let cut = 0; cut < whole.length - 4; cut++) expect(readPictureHead(whole.subarray(0, cut))).toBeNull();
});

const LETTER: Grey = { width: 3, height: 2, pixels: Uint8Array.from([1, 2, 3, 4, 5, 6]) };

test.each([
  [1, 3, [1, 2, 3, 4, 5, 6]],
  [2, 3, [3, 2, 1, 6, 5, 4]],
  [3, 3, [6, 5, 4, 3, 2, 1]],
  [4, 3, [4, 5, 6, 1, 2, 3]],
  [5, 2, [1, 4, 2, 5, 3, 6]],
  [6, 2, [4, 1, 5, 2, 6, 3]],
  [7, 2, [6, 3, 5, 2, 4, 1]],
  [8, 2, [3, 6, 2, 5, 1, 4]],
] as const)("a picture that was kept in position %i is turned upright", (orientation, width, pixels) => {
  const turned = applyOrientation(LETTER, orientation as Orientation);
  expect([turned.width, ...turned.pixels]).toEqual([width, ...pixels]);
});

test("small pictures grow, at most three times, and large ones shrink, without becoming lighter or darker", () => {
  expect(scaleFor({ width: 700, height: 200 })).toBe(2);
  expect(scaleFor({ width: 100, height: 50 })).toBe(3);
  expect(scaleFor({ width: 1900, height: 50 })).toBe(1);
  expect(scaleFor({ width: 5200, height: 50 })).toBe(0.5);
  const even: Grey = { width: 40, height: 30, pixels: new Uint8Array(1200).fill(77) };
  for (const times of [3, 1.37, 0.4]) {
    const other = scaleImage(even, times);
    expect([other.width, other.height]).toEqual([Math.round(40 * times), Math.round(30 * times)]);
    expect(new Set(other.pixels)).toEqual(new Set([77]));
  }
});

test("paper becomes white wherever light falls on it, letters stay dark, and a dark screen is turned over", () => {
  const [width, height] = [200, 100];
  const lit = (x: number) => 120 + x / 2;
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const x = at % width;
    return x % 20 < 3 ? lit(x) * 0.3 : lit(x);
  });
  const flat = normalizeBrightness({ width, height, pixels });
  const row = [...flat.pixels.subarray(50 * width, 51 * width)];
  expect(Math.min(...row.filter((_, x) => x % 20 >= 3))).toBeGreaterThan(215);
  expect(Math.max(...row.filter((_, x) => x % 20 < 3))).toBeLessThan(95);
  expect(toDarkOnLight({ width: 2, height: 1, pixels: Uint8Array.from([10, 30]) }).pixels).toEqual(
    Uint8Array.from([245, 225]),
  );
  expect(toDarkOnLight({ width: 2, height: 1, pixels: Uint8Array.from([200, 30]) }).pixels).toEqual(
    Uint8Array.from([200, 30]),
  );
});
