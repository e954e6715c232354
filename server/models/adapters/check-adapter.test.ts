import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHead } from "#server/models/local/gguf-head.ts";
import { type TinyAdapter, writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";
import { writeTinyChatModel, writeTinyReader } from "#server/test/models/tiny-model.ts";
import { type BaseShapes, baseShapes } from "./base-shapes.ts";
import { type CheckedAdapter, checkAdapter } from "./check-adapter.ts";
import { writeAdapter } from "./write-adapter.ts";

let folder: string;
let base: BaseShapes;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-adapter-"));
  await writeTinyChatModel(join(folder, "chat"));
  base = (await baseShapes(join(folder, "chat")))!;
});
afterAll(() => rm(folder, { recursive: true }));

async function checked(options: TinyAdapter) {
  const path = join(folder, "adapter");
  await writeTinyAdapter(path, options);
  return checkAdapter(path, base);
}
const matrix = (name: string, ...shape: number[]) => ({
  name,
  shape,
  values: new Float32Array(shape.reduce((product, one) => product * one, 1)),
});

describe("an adapter's file", () => {
  test("for the answering model is reported with its rank; other quantisations of the model have the same shape", async () => {
    expect(await checked({ rank: 8 })).toMatchObject({ architecture: "llama", rank: 8, alpha: 32 });
    await writeTinyChatModel(join(folder, "sibling"), 7);
    const sibling = await baseShapes(join(folder, "sibling"));
    expect(sibling?.fingerprint).toBe(base.fingerprint);
    // Values that no quantisation changes tell models with equal shapes apart.
    expect(sibling?.weights).not.toBe(base.weights);
    await writeTinyChatModel(join(folder, "again"));
    expect(await baseShapes(join(folder, "again"))).toEqual(base);
    await writeTinyReader(join(folder, "reader"));
    expect((await baseShapes(join(folder, "reader")))?.fingerprint).not.toBe(base.fingerprint);
    expect(await baseShapes(join(folder, "nowhere"))).toBeNull();
  });

  test.each<[string, TinyAdapter]>([
    ["another-architecture", { architecture: "qwen2" }],
    ["another-base", { metadata: { "adapter.base.weights": { text: "of a sibling" } } }],
    ["another-size", { width: 32 }],
    [
      "another-size",
      { tensors: [matrix("blk.9.attn_q.weight.lora_a", 64, 4), matrix("blk.9.attn_q.weight.lora_b", 4, 64)] },
    ],
    ["whole-model", { metadata: { "general.type": { text: "model" } } }],
    ["another-addition", { metadata: { "adapter.type": { text: "control" } } }],
    ["another-addition", { metadata: { "adapter.alora.invocation_tokens": { text: "1" } } }],
    ["damaged", { tensors: [matrix("blk.0.attn_k.weight.lora_a", 64, 4)] }],
    ["damaged", { tensors: [matrix("blk.0.attn_k.weight", 64, 64)] }],
    ["damaged", { tensors: [matrix("../../etc/passwd.lora_a", 64, 4)] }],
    ["damaged", { metadata: { "adapter.lora.alpha": { f32: Number.NaN } } }],
    [
      "damaged",
      { tensors: [matrix("blk.0.attn_k.weight.lora_a", 64, 4), matrix("blk.0.attn_k.weight.lora_b", 8, 64)] },
    ],
  ])("that is wrong is told as %s", async (problem, options) => {
    expect(await checked(options)).toBe(problem);
  });

  /** Bytes of a tensor: every second one of the tiny adapter's is 64 × 4 floats. */
  const PART = 64 * 4 * 4;
  test.each<[string, (offset: number, at: number, all: number[]) => number]>([
    ["all tensors in the same bytes", () => 0],
    ["a tensor in the bytes of the one before", (offset, at, all) => (at === 1 ? all[0]! : offset)],
    ["a tensor that begins within another", (offset, at) => (at === 2 ? offset - 32 : offset)],
    ["two tensors in the other order", (offset, at, all) => (at < 2 ? all[1 - at]! : offset)],
    ["unused bytes between two tensors", (offset, at) => (at === 0 ? offset : offset + PART)],
    ["unused bytes at the beginning", (offset) => offset + 32],
    ["a tensor between two multiples of the alignment", (offset, at) => (at === 1 ? offset + 1 : offset)],
    [
      "a tensor before the data, by an offset that is almost endless",
      (offset, at) => (at === 1 ? 2 ** 64 - 2048 : offset),
    ],
  ])("with %s is damaged, and is not written anew", async (_what, change) => {
    const path = join(folder, "places");
    await writeTinyAdapter(path);
    const bytes = Buffer.concat([await readFile(path), Buffer.alloc(2 * PART)]);
    const { tensors } = readHead(bytes)!;
    const offsets = tensors!.map(({ offset }) => offset);
    for (const [at, { name, shape, offset }] of tensors!.entries()) {
      const place = bytes.indexOf(name) + Buffer.byteLength(name) + 4 + 8 * shape.length + 4;
      expect(Number(bytes.readBigUInt64LE(place))).toBe(offset);
      bytes.writeBigUInt64LE(BigInt(change(offset, at, offsets)), place);
    }
    await writeFile(path, bytes);
    expect(await checkAdapter(path, base)).toBe("damaged");
  });

  test.each([0.5, 24, 0, -32])("aligned to %s bytes is damaged", async (alignment) => {
    expect(await checked({ metadata: { "general.alignment": { f32: alignment } } })).toBe("damaged");
  });

  test("that is truncated anywhere or is no GGUF is reported as such, and is not read beyond its end", async () => {
    const path = join(folder, "whole");
    await writeTinyAdapter(path);
    const whole = await readFile(path);
    const cut = join(folder, "cut");
    const told = new Set<unknown>();
    for (let length = 0; length < whole.length; length += 97) {
      await writeFile(cut, whole.subarray(0, length));
      told.add(await checkAdapter(cut, base));
    }
    told.delete("not-gguf");
    // Before the architecture or the kind is read, any bytes are possible.
    expect(
      [...told].every((one) =>
        ["damaged", "whole-model", "another-addition", "another-architecture"].includes(String(one)),
      ),
    ).toBe(true);
    expect(told).toContain("damaged");
    await writeFile(cut, "PK\u0003\u0004 это архив, а не почерк, и довольно длинный");
    expect(await checkAdapter(cut, base)).toBe("not-gguf");
  });

  test("is rewritten from what was checked alone: the weights stay the same, and nothing else is kept", async () => {
    const path = join(folder, "sent");
    const secret = "general.name.of.somebody";
    await writeTinyAdapter(path, { seed: 5, metadata: { [secret]: { text: "x".repeat(5000) } } });
    const facts = (await checkAdapter(path, base)) as CheckedAdapter;
    const to = join(folder, "written");
    const bytes = await writeAdapter(path, facts, (pieces) => writeFile(to, pieces));
    const written = await readFile(to);
    expect(bytes).toBe((await stat(to)).size);
    expect(written.includes(secret)).toBe(false);
    expect([...readHead(written)!.metadata.keys()].sort()).toEqual([
      ...["adapter.lora.alpha", "adapter.type", "general.alignment", "general.architecture", "general.type"],
    ]);
    const again = (await checkAdapter(to, base)) as CheckedAdapter;
    const sent = await readFile(path);
    expect(
      again.tensors.map(({ name, at, bytes: size }) => [name, written.subarray(at, at + size).toString("hex")]),
    ).toEqual(facts.tensors.map(({ name, at, bytes: size }) => [name, sent.subarray(at, at + size).toString("hex")]));
  });
});

test("a head that promises more than there is is read only to the end of the bytes", () => {
  const bytes = Buffer.alloc(64);
  bytes.write("GGUF");
  bytes.writeUInt32LE(3, 4);
  bytes.writeBigUInt64LE(2n ** 60n, 8);
  bytes.writeBigUInt64LE(2n ** 60n, 16);
  bytes.writeBigUInt64LE(2n ** 63n, 24);
  expect(readHead(bytes)).toMatchObject({ tensors: null, dataAt: null });
  bytes.writeBigUInt64LE(0n, 16);
  bytes.writeBigUInt64LE(0n, 24);
  expect(readHead(bytes)).toMatchObject({ tensors: null });
});
