// What the tests of voice.spec.ts and voice.full.spec.ts share.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";

type Tensor = [name: string, ...shape: number[]];

/** A GGUF of zeros, whose head is true. */
export function gguf(metadata: Record<string, string | number>, tensors: Tensor[]): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const u64 = (value: number) => Buffer.concat([u32(value), u32(0)]);
  const text = (value: string) => Buffer.concat([u64(value.length), Buffer.from(value)]);
  const entries = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([
      text(key),
      typeof value === "string" ? Buffer.concat([u32(8), text(value)]) : Buffer.concat([u32(4), u32(value)]),
    ]),
  );
  let offset = 0;
  const infos = tensors.map(([name, ...shape]) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += shape.reduce((product, one) => product * one, 4);
    return info;
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(Math.ceil(head.length / 32) * 32 - head.length + offset)]);
}

export const MODEL = join(mkdtempSync(join(tmpdir(), "twins-voice-")), "model.gguf");

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

export const figure = (value: number, measuredAt = "2026-11-22T10:00:00Z") => ({
  measuredAt,
  value,
  low: value - 0.06,
  high: value + 0.06,
});

export const measured = (over: object = {}) => ({ figure: null, measuring: false, failedAt: null, ...over });

export const voice = (version: number, over: object = {}) => ({
  ...{
    id: `8b0e2f1c-0000-4000-8000-00000000000${version}`,
    version,
    fileName: "golos-na-vseh-pismah-za-dva-goda.gguf",
  },
  ...{ bytes: 34_000_000, rank: 8, sha256: "0", createdAt: "2026-11-21T10:00:00Z", baseName: "Qwen3 1.7B" },
  ...{ fits: true, otherFile: false, active: false, failedAt: null, forgottenAt: null, after: measured() },
  ...over,
});
