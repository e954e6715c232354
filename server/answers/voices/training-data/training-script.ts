/** The training program and its guide ship with the server, so that the downloaded data is enough to train. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");
const FOLDER = join(ROOT, "scripts/train-voice");
const GUIDE = join(ROOT, "docs/voice-training.md");

/** By file name in the zip; empty when the server was installed without them. */
export async function trainingScript(): Promise<{ name: string; path: string }[]> {
  const files = await readdir(FOLDER).catch(() => []);
  const own = files.filter((file) => file.endsWith(".py") || file === "requirements.txt").sort();
  if (own.length === 0) return [];
  return [
    { name: "voice-training.md", path: GUIDE },
    ...own.map((file) => ({ name: `train-voice/${file}`, path: join(FOLDER, file) })),
  ];
}
