/** Measures how well the sources support an answer; confidence is computed from it (docs/decisions/026-answer-verification.md). */
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { rootsOf } from "./roots.ts";
import { denies, type ReplySources, type SourceKind, type SourceSentence } from "./sources.ts";
import { isVerdict } from "./verdict.ts";

export interface Support {
  /** Share of the words that the answer adds to the question and that two adjacent sentences of one source contain; 0..1. */
  share: number;
  /** Share of the question's words that occur there or in the titles above; 0..1. */
  relevance: number;
  /** Kind of the source that supports most of the answer; null: none does. */
  kind: SourceKind | null;
  /** Whether the answer adds no words to the question's. */
  bare: boolean;
  /** Whether a bare answer says yes or no: «да», «нет, не возим». */
  verdict: boolean;
  /** Whether exactly one of answer and source is a negation. */
  turned: boolean;
}

/** @param answer without the sentences that defer or admit ignorance */
export function supportOf(answer: string, message: string, sources: ReplySources): Support {
  const asked = new Set(rootsOf(message));
  const windows = windowsOf(sources.sentences.filter(({ kind }) => kind !== "asker"));
  const titles = titlesOf(sources.sentences);
  let words = 0;
  let held = 0;
  let turned = false;
  let verdict = false;
  const by = new Map<SourceKind, number>();
  const near = new Set<string>();
  for (const sentence of splitSentences(answer)) {
    const decides = isVerdict(sentence);
    verdict ||= decides;
    const said = rootsOf(sentence);
    // «Да» states everything that is asked.
    const all = new Set(said.length === 0 && decides ? asked : said);
    const added = [...all].filter((root) => !asked.has(root));
    words += added.length;
    let best: { window: Window; count: number; weight: number } | null = null;
    for (const window of windows) {
      const count = added.filter((root) => window.roots.has(root)).length;
      // Among windows with equally many new words, the one about the same subject wins.
      const weight =
        count + [...all].filter((root) => window.roots.has(root)).length * 0.5 - (window.kind === "chunk" ? 0 : 0.25);
      if (best === null || weight > best.weight) best = { window, count, weight };
    }
    if (best === null || best.weight <= 0) continue;
    held += best.count;
    by.set(best.window.kind, (by.get(best.window.kind) ?? 0) + best.count);
    for (const root of best.window.roots) near.add(root);
    for (const root of titles.get(best.window.text) ?? []) near.add(root);
    const denied = denies(sentence);
    turned ||=
      added.length > 0
        ? denied !== (denied ? best.window.denies : best.window.deniesFirst)
        : decides && denied !== best.window.denies;
  }
  const kind = [...by].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  const relevant = [...asked].filter((root) => near.has(root)).length;
  return {
    share: words === 0 ? 0 : held / words,
    relevance: asked.size === 0 ? 0 : relevant / asked.size,
    kind: held === 0 ? null : kind,
    bare: words === 0,
    verdict: words === 0 && verdict,
    turned,
  };
}

interface Window extends Omit<SourceSentence, "roots"> {
  roots: Set<string>;
  /** Whether only the first sentence of the window is negated. */
  deniesFirst: boolean;
}

function titlesOf(sentences: readonly SourceSentence[]): Map<number, string[]> {
  const titles = new Map<number, string[]>();
  for (const { kind, text, roots } of sentences) {
    const title = titles.get(text);
    if (kind === "chunk" && (title === undefined || title.length < TITLE_ROOTS))
      titles.set(text, [...(title ?? []), ...roots]);
  }
  return titles;
}

const TITLE_ROOTS = 2;

/** Returns each sentence with the next one of the same text: answers rarely span more. */
const windowsOf = (sentences: readonly SourceSentence[]): Window[] =>
  sentences.map((one, at) => {
    const next = sentences[at + 1];
    const joins = next !== undefined && next.text === one.text;
    return {
      ...one,
      roots: joins ? new Set([...one.roots, ...next.roots]) : new Set(one.roots),
      deniesFirst: one.denies,
      denies: one.denies || (joins && next.denies),
    };
  });
