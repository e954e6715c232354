// A LoRA adapter for every twin of a benchmark, as a twin's active voice is in the product (docs/decisions/029-reply-candidates-and-voice-adapters.md).
import { access } from "node:fs/promises";
import { basename } from "node:path";
import type { LocalModelOptions } from "#server/answers/replies/generators/local.ts";

export type Voiced = NonNullable<LocalModelOptions["voiced"]>;

/** @throws where the file is absent, and for each reply that the model could not write with it: what is measured is the adapter */
export async function oneVoice(base: string, adapter: string): Promise<Voiced> {
  await access(adapter);
  const voice = { id: basename(adapter), path: adapter, failed: false };
  return {
    base: { name: basename(base), path: base },
    voices: {
      of: async () => voice,
      note: async (_payer, _voice, worked) => {
        if (!worked) throw new Error(`${adapter} is no adapter for ${base}`);
      },
    },
  };
}
