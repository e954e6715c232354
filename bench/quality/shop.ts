// How like its owner the embedded generator answers a shop's customers, who ask the same again and again: the demo's shop,
// with its documents and the letters beside this file, written before the twin was asked any of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedGenerator } from "#server/answers/replies/generators/embedded.ts";
import { loadDemoContent } from "#server/demo/content/demo-content.ts";
import { keepRecurring } from "#server/knowledge/public-replies/keep-recurring.ts";
import type { Database } from "#server/platform/db/database.ts";
import { learn, type Talk, twinOfTalks } from "../material/talking-twin.ts";
import { measured } from "./fidelity.ts";

const calm = new AbortController().signal;
const percent = (share: number | null) => (share === null ? "–" : `${(share * 100).toFixed(1)} %`);

/** «## Customer», then conversations: «@month-day hour:minute», «- what the customer wrote», «> what the owner answered». */
function lettersOf(text: string): Talk[] {
  return text.split(/^## /m).flatMap((block): Talk[] => {
    const [name = "", ...lines] = block.split("\n").filter((line) => line !== "");
    let at = 0;
    const said = lines.flatMap((line) => {
      const begins = /^@(\S+) (\S+)$/.exec(line);
      if (begins !== null) at = Date.parse(`2026-${begins[1]}T${begins[2]}:00+03:00`);
      else at += 40_000;
      return begins === null ? [{ author: line.startsWith(">") ? null : name, text: line.slice(2), at }] : [];
    });
    return said.length === 0 ? [] : [{ name, kind: "private", lines: said }];
  });
}

export async function shop(db: Database): Promise<Record<string, string | number>> {
  const demo = (await loadDemoContent()).find(({ slug }) => slug === "shop-support")!;
  const talks = lettersOf(readFileSync(join(import.meta.dirname, "shop-letters.txt"), "utf8"));
  const read = demo.documents.flatMap(({ content }) => content.split(/\n(?=## )/).map((part) => part.trim()));
  const twin = await twinOfTalks(db, talks, read);
  await keepRecurring(db, { ...twin.tenant, twinId: twin.twinId }, calm);
  await learn(db, twin);
  const { row, replies } = await measured(db, twin, embeddedGenerator());
  return {
    "√(S · D)": `${percent(row.value)} (${percent(row.low)} – ${percent(row.high)})`,
    S: row.verified?.toExponential(1) ?? "–",
    D: row.indistinguishable?.toFixed(2) ?? "–",
    "owner · strangers": `${percent(row.ceiling)} · ${percent(row.floor)}`,
    "copies · relevance": `${row.copyRate?.toFixed(2)} · ${row.relevance?.toFixed(2)}`,
    "own · held · people": `${row.own} · ${row.held} · ${row.people}`,
    "left to the owner": replies.filter(({ twin }) => /отвечу лично|не знаю/iu.test(twin)).length,
    quoted: replies.filter(({ twin }) => twin.includes("Точно не скажу")).length,
    distinct: (new Set(replies.map(({ twin }) => twin)).size / replies.length).toFixed(2),
  };
}
