import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { getLlama, LlamaLogLevel, type Token } from "node-llama-cpp";
import { expect, test } from "vitest";
import { baseShapes } from "#server/models/adapters/base-shapes.ts";
import { checkAdapter } from "#server/models/adapters/check-adapter.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";

const SCRIPT = join(import.meta.dirname, "../../../../scripts/train-voice/tests/random_voice.py");
/** A Python with scripts/train-voice/requirements.txt installed. */
const python = process.env.VOICE_PYTHON;
const missing = python === undefined ? "VOICE_PYTHON names no Python for it" : noLlama();

interface Foretold {
  tokens: Token[];
  with: number[];
  without: number[];
}

/** Returns llama.cpp's likelihoods of all vocabulary tokens after the given tokens. */
async function likelihoods(modelPath: string, tokens: Token[], lora: string | undefined): Promise<number[]> {
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: 256, threads: 1, ...(lora === undefined ? {} : { lora }) });
  const last = tokens.at(-1)!;
  const read = await context
    .getSequence()
    .controlledEvaluate([...tokens.slice(0, -1), [last, { generateNext: { probabilities: true } }]]);
  const { probabilities } = read.at(-1)!.next;
  await llama.dispose();
  return Array.from({ length: probabilities!.size }, (_, token) => probabilities!.get(token as Token)!);
}

test.skipIf(missing !== null)(
  `llama.cpp foretells with a trained voice what PyTorch does${missing === null ? "" : ` (skipped: ${missing})`}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "voice-"));
    const [base, voice] = [join(folder, "base.gguf"), join(folder, "voice.gguf")];
    await writeTinyChatModel(base);
    const { stdout } = await promisify(execFile)(String(python), ["-W", "ignore", SCRIPT, base, voice]);
    const foretold = JSON.parse(stdout) as Foretold;
    // The same check as for an owner's upload.
    expect(await checkAdapter(voice, (await baseShapes(base))!)).toMatchObject({
      architecture: "llama",
      rank: 4,
      alpha: 6,
    });
    const far = (some: readonly number[], others: readonly number[]) =>
      Math.max(...some.map((one, at) => Math.abs(one - others[at]!)));
    const voiced = await likelihoods(base, foretold.tokens, voice);
    expect(far(voiced, foretold.with)).toBeLessThan(0.002);
    expect(far(await likelihoods(base, foretold.tokens, undefined), foretold.without)).toBeLessThan(0.002);
    expect(far(foretold.with, foretold.without)).toBeGreaterThan(0.05);
  },
);
