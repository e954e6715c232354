/**
 * A speech model of four operations that sherpa-onnx loads and runs: each letter is a tone, so what it has to hear can be whistled. It is
 * of the kind of GigaAM's CTC models (64 bands, letters and a blank); the bytes are ONNX's protobuf, written by hand.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wavOf } from "#server/models/media/wav.ts";

const BANDS = 64;
const LETTERS = [..."абвгдежзиклмнопрстуы "];
/** The band of a letter; two apart, so that neighbours are told from each other. */
const bandOf = (letter: string) => 10 + 2 * LETTERS.indexOf(letter);
const RATE = 16_000;

/** @returns the folder */
export async function writeToneModel(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "model.int8.onnx"), toneModel());
  const lines = LETTERS.map((letter, id) => `${letter === " " ? "▁" : letter} ${id}`);
  await writeFile(join(folder, "tokens.txt"), `${[...lines, `<blk> ${LETTERS.length}`].join("\n")}\n`);
  return folder;
}

/** What the model hears as this text, 0.2 s a letter, with `pauses` of silence by place. */
export function whistle(text: string, loudness = 0.5): Float32Array {
  const [sounding, silent] = [0.12 * RATE, 0.08 * RATE];
  const samples = new Float32Array((sounding + silent) * text.length);
  [...text].forEach((letter, place) => {
    const step = (2 * Math.PI * frequencyOf(bandOf(letter))) / RATE;
    for (let at = 0; at < sounding; at++) samples[place * (sounding + silent) + at] = loudness * Math.sin(step * at);
  });
  return samples;
}

/** Samples between -1 and 1 as a WAV. */
export function wavOfSamples(samples: Float32Array, rate = RATE): Buffer {
  return wavOf(Buffer.from(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)).buffer), rate);
}

/** The middle of a band of mel filters between 0 and 8 kHz. */
function frequencyOf(band: number): number {
  const top = 2595 * Math.log10(1 + RATE / 2 / 700);
  return 700 * (10 ** ((top * (band + 1)) / (BANDS + 1) / 2595) - 1);
}

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
};
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: string | Uint8Array) => {
  const body = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
};
const message = (...parts: Buffer[]) => Buffer.concat(parts);

const FLOAT = 1;
const INT64 = 7;

/** ValueInfoProto; a name instead of a length: any. */
function tensorType(name: string, type: number, shape: readonly (number | string)[]): Buffer {
  const dimensions = shape.map((one) => bytes(1, typeof one === "string" ? bytes(2, one) : number(1, one)));
  return message(bytes(1, name), bytes(2, bytes(1, message(number(1, type), bytes(2, message(...dimensions))))));
}

const node = (kind: string, inputs: readonly string[], output: string, ...attributes: Buffer[]) =>
  message(
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, kind),
    ...attributes.map((attribute) => bytes(5, attribute)),
  );

const constant = (name: string, shape: readonly number[], values: Float32Array) =>
  message(
    ...shape.map((one) => number(1, one)),
    number(2, FLOAT),
    bytes(8, name),
    bytes(9, Buffer.from(values.buffer)),
  );

function toneModel(): Buffer {
  const tokens = LETTERS.length + 1;
  const weights = new Float32Array(BANDS * tokens);
  for (const [id, letter] of LETTERS.entries()) weights[bandOf(letter) * tokens + id] = 1;
  // Where no band is loud, the blank is likeliest.
  const bias = new Float32Array(tokens);
  bias[tokens - 1] = -3;
  const graph = message(
    bytes(
      1,
      node(
        "Transpose",
        ["audio_signal"],
        "frames",
        message(bytes(1, "perm"), number(8, 0), number(8, 2), number(8, 1), number(20, 7)),
      ),
    ),
    bytes(1, node("MatMul", ["frames", "weights"], "bands")),
    bytes(1, node("Add", ["bands", "bias"], "scores")),
    bytes(1, node("LogSoftmax", ["scores"], "logprobs", message(bytes(1, "axis"), number(3, 2), number(20, 2)))),
    bytes(2, "tones"),
    bytes(5, constant("weights", [BANDS, tokens], weights)),
    bytes(5, constant("bias", [tokens], bias)),
    bytes(11, tensorType("audio_signal", FLOAT, ["N", BANDS, "T"])),
    bytes(11, tensorType("length", INT64, ["N"])),
    bytes(12, tensorType("logprobs", FLOAT, ["N", "T", tokens])),
  );
  const facts = {
    ...{ vocab_size: tokens - 1, subsampling_factor: 1, normalize_type: "", is_giga_am: 1 },
    model_type: "EncDecCTCModelBPE",
  };
  return message(
    number(1, 8),
    bytes(7, graph),
    bytes(8, message(bytes(1, ""), number(2, 13))),
    ...Object.entries(facts).map(([name, value]) => bytes(14, message(bytes(1, name), bytes(2, String(value))))),
  );
}
