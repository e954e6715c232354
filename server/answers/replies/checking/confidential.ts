/**
 * Whether a model's sentence repeats what members have noted about the contact. The model never reads the notes, so this is a second
 * wall: it catches a guess that comes out right (docs/decisions/026-answer-verification.md).
 */
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { rootsOf } from "./roots.ts";
import type { ReplySources } from "./sources.ts";

/** Words of one note that a sentence may share with it by chance. */
const MOST_SHARED = 1;

/**
 * A sentence repeats a note that it shares two words with, or the note's only word. Words that stand in a source of the answer or in the
 * conversation do not count, because the contact may read them there. For the same reason a contact cannot find out what is noted by
 * naming it: whatever they name is open from then on.
 * @returns a function that tells it of a sentence; null where nothing is noted
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
    // «Рад помочь!» makes no statement about a person.
    if (smallTalkOf(sentence) !== null) return false;
    const roots = new Set(rootsOf(sentence));
    return notes.some((note) => {
      const shared = [...roots].filter((root) => note.has(root)).length;
      return shared > MOST_SHARED || shared === note.size;
    });
  };
}
