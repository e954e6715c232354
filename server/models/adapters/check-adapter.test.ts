import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TinyAdapter, writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";
import { writeTinyChatModel, writeTinyReader } from "#server/test/models/tiny-model.ts";
import { readHead } from "../gguf-head.ts";
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
    // … and other values that no quantisation changes, by which they are told apart.
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
    // Before its architecture or its kind is read it may be anything.
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
