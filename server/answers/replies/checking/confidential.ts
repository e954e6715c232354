/**
 * Checks whether a model's sentence repeats members' notes about the contact. The model never reads the notes, so this is a second line
 * of defence: it catches a lucky guess (docs/decisions/026-answer-verification.md).
 */
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { rootsOf } from "./roots.ts";
import type { ReplySources } from "./sources.ts";

const MOST_SHARED = 1;

/**
 * A sentence repeats a note if they share two words, or the note's only word. Words in a source of the answer or in the conversation do
 * not count, because the contact may read them there. For the same reason a contact cannot probe the notes by guessing: any word that he
 * uses no longer counts.
 * @returns a predicate for sentences; null when there are no notes
 */
export function confidentialCheck(
  { confidential = [] }: ReplyRequest,
  sources: ReplySources,
): ((sentence: string) => boolean) | null {
  if (confidential.length === 0) return null;
  const open = sources.facts("chunk", "said", "example", "asker").roots;
  const notes = confidential
    .map((note) => new Set(rootsOf(note).filter((root) => !open.has(root))))
    .filter(({ size }) => size > 0);
  if (notes.length === 0) return null;
  return (sentence) => {
    // A phrase such as «Рад помочь!» states nothing about a person.
    if (smallTalkOf(sentence) !== null) return false;
    const roots = new Set(rootsOf(sentence));
    return notes.some((note) => {
      const shared = [...roots].filter((root) => note.has(root)).length;
      return shared > MOST_SHARED || shared === note.size;
    });
  };
}
