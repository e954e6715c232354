// How well the measure of fidelity knows people, and what it says of "twins" that are none: `npm run research:fidelity`. Measured on people
// that the code was not tuned on. `-- people` or `-- rough` prints that alone. QUALITY_OWNERS bounds the owners of each corpus,
// QUALITY_PART=dev looks at the others.
import { Console } from "node:console";
import { PUBLIC_SETS, requirePublicTalks } from "../bench/material/public-data.ts";
import { readCorpora } from "../bench/material/speakers.ts";
import { attacks } from "./fidelity/attacks/attacks.ts";
import { roughFigures } from "./fidelity/rough-figures.ts";
import { verification } from "./fidelity/verification.ts";

const out = new Console(process.stdout);
requirePublicTalks();
const part = process.env.QUALITY_PART === "dev" ? "dev" : "test";
const most = Number(process.env.QUALITY_OWNERS ?? Number.POSITIVE_INFINITY);
const asked = new Set(process.argv.slice(2));
const wants = (name: string) => asked.size === 0 || asked.has(name);

for (const corpus of readCorpora(PUBLIC_SETS)) {
  const owners = corpus.owners[part].slice(0, most);
  if (wants("people")) {
    out.log(`\n${corpus.name}, ${part}: ${owners.length} owners, ${corpus.everyone.length} people`);
    const areas = verification(corpus, owners);
    out.table(Object.fromEntries(Object.entries(areas).map(([name, value]) => [name, { AUC: value.toFixed(3) }])));
    out.table(attacks(corpus, owners));
  }
  if (wants("rough")) {
    out.log(`\nThree contacts, 250 messages: ${corpus.name}, ${part}, ${owners.length} owners`);
    out.table(roughFigures(corpus, owners));
  }
}
