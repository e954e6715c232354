// What a model is worth to a twin on this machine, in one run: speed and memory, answers to customers, everyday talk.
//   npm run bench:model -- --model FILE.gguf… [--shape qwen3-1.7b]… [--parts speed,answers,everyday] [--every N] [--seconds N] [--room CHARACTERS]
//     [--threads N] [--priority N] [--embeddings FILE.gguf|URL#NAME] [--talks N] [--messages N] [--vocabulary FILE.gguf]
// `--shape` measures the speed of random weights of a real model's shape, with the vocabulary of `--vocabulary` or the first `--model`: about 1.1 GB on the
// disk for 1.7b and 2.5 GB for 4b, removed afterwards. Every part ends: `--every` asks one question of N (20) and one everyday message of N (1), and each
// of these parts asks nothing further after `--seconds`. What else runs on the machine slows it: the load is printed, and beside the times how much of
// them was the processor's. How like its owner a twin answers with a model, the product itself measures on the screen «Качество».
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir, totalmem } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { type Everyone, everyone } from "./model/everyone.ts";
import { runBench } from "./model/other-benches.ts";
import { SHAPES, type ShapeName, writeShapedModel } from "./model/shaped-model.ts";
import { SPEED_HEAD, speedOf, speedRow } from "./model/speed.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string", multiple: true, default: [] },
    shape: { type: "string", multiple: true, default: [] },
    vocabulary: { type: "string" },
    parts: { type: "string", default: "speed,answers,everyday" },
    every: { type: "string" },
    seconds: { type: "string", default: "900" },
    room: { type: "string", default: "2000" },
    threads: { type: "string" },
    priority: { type: "string", default: "0" },
    embeddings: { type: "string" },
    messages: { type: "string", default: "5" },
    talks: { type: "string", default: "4" },
  },
});
const say = (line = "") => process.stdout.write(`${line}\n`);
const models = values.model.map((path) => resolve(path));
const shapes = values.shape as ShapeName[];
const parts = new Set(values.parts.split(","));
if (models.length + shapes.length === 0 || shapes.some((shape) => !(shape in SHAPES))) {
  say(`npm run bench:model -- --model FILE.gguf… [--shape ${Object.keys(SHAPES).join("|")}]…`);
  process.exit(1);
}
const load = () => loadavg()[0]!.toFixed(1);
const memory = (totalmem() / 1024 ** 3).toFixed(0);
say(`${availableParallelism()} cores, ${memory} GB of memory · load ${load()} before the start\n`);
if (parts.has("speed")) await measureSpeed();
const threads = ["--threads", values.threads ?? "1"];
for (const path of models) {
  say(`\n# ${basename(path)}`);
  const asked = ["--model", path, ...threads];
  const { seconds, room, priority, embeddings } = values;
  const bounded = [...asked, "--priority", priority, "--room", room, "--seconds", seconds];
  const every = (usual: string) => ["--every", values.every ?? usual];
  if (parts.has("answers"))
    await runBench("answers.ts", [
      ...bounded,
      ...every("20"),
      ...(embeddings === undefined ? [] : ["--embeddings", embeddings]),
    ]);
  if (parts.has("everyday")) await runBench("everyday.ts", ["--part", "test", ...bounded, ...every("1")]);
}

async function measureSpeed(): Promise<void> {
  const log = createLog("silent");
  const database = await wrapPglite(await startPglite());
  const jobs = await openJobs(database, log);
  const all = await everyone(database, jobs, Number(values.talks));
  say(SPEED_HEAD);
  for (const path of models) await measure(basename(path), path, all, Number.POSITIVE_INFINITY);
  for (const shape of shapes) {
    const vocabulary = values.vocabulary ?? models[0];
    if (vocabulary === undefined) throw new Error("--shape needs a real model's vocabulary: --vocabulary FILE.gguf");
    const folder = await mkdtemp(join(tmpdir(), "dt-shaped-model-"));
    // Whatever ends the run, gigabytes are not left behind.
    const remove = () => rm(folder, { recursive: true, force: true });
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => remove().then(() => process.exit(1)));
    try {
      const path = join(folder, `${shape}.gguf`);
      await writeShapedModel(path, SHAPES[shape], resolve(vocabulary));
      await measure(`${shape}, random`, path, all, 40);
    } finally {
      await remove();
    }
  }
  say(`\nLoad ${load()} at the end: what else runs here slows all of it.`);
  await jobs.stop(2000);
  await database.close();

  async function measure(name: string, path: string, all: Everyone, tokenLimit: number): Promise<void> {
    const given = values.threads === undefined ? null : Number(values.threads);
    const options = {
      log,
      threads: given,
      priority: Number(values.priority),
      tokenLimit,
      messages: Number(values.messages),
    };
    say(speedRow(name, await speedOf(path, all, options)));
  }
}
process.exit(0);
