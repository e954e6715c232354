/**
 * Tesseract in WebAssembly (tesseract.js-core), called directly: tesseract.js would start threads and download languages, and a sandboxed
 * process may do neither.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { normalizeBrightness, toDarkOnLight } from "./flatten.ts";
import { applyOrientation, type Grey, type Orientation, pgmOf, scaleFor, scaleImage } from "./grey.ts";

/** The part of the emscripten module that we use; it has no types. */
interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  Pix: object;
  TessBaseAPI: new () => Tesseract;
  wrapPointer(pointer: number, kind: object): Pix;
  getPointer(object: object): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _pixReadMem(pointer: number, bytes: number): number;
  _pixDestroy(pointerToPointer: number): void;
}

interface Pix {
  get_w(): number;
  get_h(): number;
  get_d(): number;
  get_spp(): number;
  get_wpl(): number;
  get_data(): number;
  get_colormap(): object;
}

interface Tesseract {
  Init(path: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  SetImageFile(exif: number, angle: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  MeanTextConf(): number;
  Clear(): void;
}

export interface RecognizedText {
  text: string;
  /** 0 to 1. */
  confidence: number;
}

export interface Reader {
  /** @param orientation from the picture's head @throws Error for bytes that are not a picture */
  read(picture: Uint8Array, orientation: Orientation): RecognizedText;
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

interface Instance {
  readonly exports: Record<string, unknown>;
}

/** Node has WebAssembly, but @types/node only declares its name. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (program: object, imports: object) => Instance;
    Memory: new () => Memory;
  };
};

const LSTM_ONLY = 1;
/** Path in the module's virtual file system from which SetImage reads. */
const INPUT = "/input";

/** @param languages file names in the folder, the likeliest language first */
export async function openTesseract(folder: string, languages: readonly string[]): Promise<Reader> {
  const require = createRequire(import.meta.url);
  const program = new wasm.Module(readFileSync(require.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm")));
  const make = require("tesseract.js-core/tesseract-core-simd-lstm") as (options: object) => Promise<Core>;
  let memory: Memory | undefined;
  const core = await make({
    // The module hides its memory; without access to it, each pixel would need a call.
    instantiateWasm(imports: object, done: (instance: Instance) => void) {
      const instance = new wasm.Instance(program, imports);
      memory = Object.values(instance.exports).find((one): one is Memory => one instanceof wasm.Memory);
      done(instance);
      return instance.exports;
    },
    print: () => undefined,
    printErr: () => undefined,
  });
  for (const language of languages) {
    const file = `${language}.traineddata`;
    core.FS.writeFile(file, readFileSync(join(folder, file)));
  }
  const tesseract = new core.TessBaseAPI();
  if (tesseract.Init(null, languages.join("+"), LSTM_ONLY) !== 0) throw new Error("the language data cannot be used");
  tesseract.SetVariable("user_defined_dpi", "200");
  return {
    read(picture, orientation) {
      const seen = applyOrientation(decode(core, memory!, picture), orientation);
      core.FS.writeFile(INPUT, pgmOf(cleaned(seen)));
      if (tesseract.SetImageFile(1, 0) !== 0) throw new Error("the picture cannot be read");
      tesseract.Recognize(null);
      const text = tesseract.GetUTF8Text();
      const confidence = Math.max(0, Math.min(100, tesseract.MeanTextConf())) / 100;
      tesseract.Clear();
      return { text, confidence };
    },
  };
}

/** Evens out the light before a small picture is enlarged, so that its grain does not grow, and after a large one is shrunk. */
function cleaned(seen: Grey): Grey {
  const times = scaleFor(seen);
  return times < 1
    ? normalizeBrightness(toDarkOnLight(scaleImage(seen, times)))
    : scaleImage(normalizeBrightness(toDarkOnLight(seen)), times);
}

function decode(core: Core, memory: Memory, picture: Uint8Array): Grey {
  const at = core._malloc(picture.length + 4);
  let read = 0;
  try {
    new Uint8Array(memory.buffer).set(picture, at);
    read = core._pixReadMem(at, picture.length);
    if (read === 0) throw new Error("the picture cannot be decoded");
    return greyOf(core, memory, core.wrapPointer(read, core.Pix));
  } finally {
    if (read !== 0) {
      new Uint32Array(memory.buffer)[at >>> 2] = read;
      core._pixDestroy(at);
    }
    core._free(at);
  }
}

/** Converts Leptonica's pixels: 32-bit words, the first pixel in the highest bits; colours as red, green, blue and alpha. */
function greyOf(core: Core, memory: Memory, pix: Pix): Grey {
  const [width, height, depth, words] = [pix.get_w(), pix.get_h(), pix.get_d(), pix.get_wpl()];
  const data = new Uint32Array(memory.buffer, pix.get_data(), words * height);
  const pixels = new Uint8Array(width * height);
  const colours = depth <= 8 ? paletteOf(core, memory, pix, depth) : null;
  const isClear = pix.get_spp() === 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const word = data[y * words + (bit >>> 5)]!;
      if (depth === 32) {
        const grey = 0.299 * (word >>> 24) + 0.587 * ((word >>> 16) & 255) + 0.114 * ((word >>> 8) & 255);
        const shown = isClear ? (word & 255) / 255 : 1;
        // Transparent pixels get a white background.
        pixels[y * width + x] = Math.round(grey * shown + 255 * (1 - shown));
      } else {
        const value = (word >>> (32 - depth - (bit & 31))) & (2 ** depth - 1);
        pixels[y * width + x] = colours === null ? value >>> 8 : colours[value]!;
      }
    }
  }
  return { width, height, pixels };
}

function paletteOf(core: Core, memory: Memory, pix: Pix, depth: number): Uint8Array {
  const most = 2 ** depth - 1;
  const map = core.getPointer(pix.get_colormap());
  // Without a colour map, 1 is black in one-bit pictures, and higher values are lighter in deeper ones.
  if (map === 0)
    return Uint8Array.from({ length: most + 1 }, (_, value) =>
      depth === 1 ? 255 * (1 - value) : (255 * value) / most,
    );
  const [entries, , , used] = new Uint32Array(memory.buffer, map, 4);
  const bytes = new Uint8Array(memory.buffer, entries!, Math.min(used!, most + 1) * 4);
  const palette = new Uint8Array(most + 1);
  for (let at = 0; at * 4 < bytes.length; at++)
    palette[at] = Math.round(0.114 * bytes[at * 4]! + 0.587 * bytes[at * 4 + 1]! + 0.299 * bytes[at * 4 + 2]!);
  return palette;
}
