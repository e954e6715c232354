// Writes what a voice is trained on (scripts/train-voice/), for people of the public sets: `node bench/voice/export.ts FOLDER [PEOPLE]`.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PUBLIC_SETS } from "../material/public-data.ts";
import { partTalks } from "./part-talks.ts";
import { people } from "./people.ts";
import { trainingLines } from "./training-lines.ts";

const [out, most = "3"] = process.argv.slice(2);
if (out === undefined) throw new Error("Into which folder?");
for (const { id, language, talks } of people(PUBLIC_SETS, Number(most))) {
  const parted = partTalks(talks);
  const folder = join(out, id);
  await mkdir(folder, { recursive: true });
  const lines = trainingLines(parted, language);
  for (const [name, text] of Object.entries(lines)) await writeFile(join(folder, `${name}.jsonl`), text);
  console.log(
    `${id} (${talks.name}): ${parted.sessions.flat().length} exchanges in ${parted.sessions.length} sessions, ${parted.held.length} held; the judge knows ${parted.judge.own.length} turns of the owner, ${parted.judge.people.length} people`,
  );
}
