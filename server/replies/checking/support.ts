/** How far what an answer says stands in its sources: this is what its confidence is made of (docs/decisions/053). */
import { splitSentences } from "#server/knowledge/sentences.ts";
import { denies, type ReplySources, rootsOf, type SourceKind, type SourceSentence } from "./sources.ts";

export interface Support {
  /** Of the words that the answer adds to the question, those that two neighbouring sentences of one source hold; 0..1. */
  share: number;
  /** Of the question's words, those that stand there as well, or in the titles above; 0..1. */
  relevance: number;
  /** What holds most of it; null: nothing. */
  kind: SourceKind | null;
  /** It adds no words to the question's: «да», «нет». */
  bare: boolean;
  /** It denies what its source does not, or the other way round. */
  turned: boolean;
}

/** @param answer without what defers or admits that it is not known */
export function supportOf(answer: string, message: string, sources: ReplySources): Support {
  const asked = new Set(rootsOf(message));
  const windows = windowsOf(sources.sentences.filter(({ kind }) => kind !== "asker"));
  const titles = titlesOf(sources.sentences);
  let words = 0;
  let held = 0;
  let turned = false;
  const by = new Map<SourceKind, number>();
  const near = new Set<string>();
  for (const sentence of splitSentences(answer)) {
    const all = new Set(rootsOf(sentence));
    const added = [...all].filter((root) => !asked.has(root));
    words += added.length;
    let best: { window: Window; count: number; weight: number } | null = null;
    for (const window of windows) {
      const count = added.filter((root) => window.roots.has(root)).length;
      // Of two that hold as much of what is new, the one that is about the same.
      const weight =
        count + [...all].filter((root) => window.roots.has(root)).length * 0.5 - (window.kind === "passage" ? 0 : 0.25);
      if (best === null || weight > best.weight) best = { window, count, weight };
    }
    if (best === null || best.weight <= 0) continue;
    held += best.count;
    by.set(best.window.kind, (by.get(best.window.kind) ?? 0) + best.count);
    for (const root of best.window.roots) near.add(root);
    for (const root of titles.get(best.window.text) ?? []) near.add(root);
    turned ||= added.length > 0 && (denies(sentence) ? !best.window.denies : best.window.deniesFirst);
  }
  const kind = [...by].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  const relevant = [...asked].filter((root) => near.has(root)).length;
  return {
    share: words === 0 ? 0 : held / words,
    relevance: asked.size === 0 ? 0 : relevant / asked.size,
    kind: held === 0 ? null : kind,
    bare: words === 0,
    turned,
  };
}

interface Window extends Omit<SourceSentence, "roots"> {
  roots: Set<string>;
  /** Of its first sentence alone. */
  deniesFirst: boolean;
}

/** Of each text the name and heading that it stands under. */
function titlesOf(sentences: readonly SourceSentence[]): Map<number, string[]> {
  const titles = new Map<number, string[]>();
  for (const { kind, text, roots } of sentences) {
    const title = titles.get(text);
    if (kind === "passage" && (title === undefined || title.length < TITLE_ROOTS))
      titles.set(text, [...(title ?? []), ...roots]);
  }
  return titles;
}

const TITLE_ROOTS = 2;

/** Each sentence with its next of the same text: an answer is seldom made of more. */
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
