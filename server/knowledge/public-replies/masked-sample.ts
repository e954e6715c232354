/** Hides personal data in a text of the owner that everybody may see as a sample of his manner. Linear in the text. */
import { MASKS, masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { openCommonWords } from "./common-words.ts";

/** A mask, or a word with the digits and the underscore that nicknames hold. */
const MASK_OR_WORD = /\[\p{L}{3,7}\]|[\p{L}\p{N}_]{2,40}/gu;
/** A nickname before the words to it, «user_1: да», even of somebody who is no contact. */
const ADDRESSED_NICKNAME = /^(?=[^\s:,]{0,32}\p{L})[^\s:,]{0,32}[\d_^|`][^\s:,]{0,32}(?=[:,]\s)/gmu;
/** What is left of a nickname beside the name that it holds: «[имя]1984», «the_[имя]». */
const MASKED_NICKNAME = /(?:[\p{L}\p{N}_]{0,40}\[имя\]){1,5}[\p{L}\p{N}_]{0,40}/gu;

/** Masks a text for everybody. */
export type MaskSample = (text: string) => string;

/**
 * Returns a function that masks names, phones, addresses and numbers of documents. The name of one of the twin's contacts is masked in
 * small letters and inside a nickname too, because people hardly write capitals in chats; unless it is a common word.
 */
export async function openSampleMask(tx: Tx, twinId: string): Promise<MaskSample> {
  const [names, isCommon] = [await contactNamesOf(tx, twinId), await openCommonWords()];
  const isName = (word: string) =>
    word.split(/[^\p{L}]+/u).some((part) => part.length > 1 && !isCommon(part.toLowerCase()) && names.occurIn(part));
  return (text) =>
    masked(text, personalSpans(text, names))
      .replace(ADDRESSED_NICKNAME, "[имя]")
      .replace(MASKED_NICKNAME, "[имя]")
      .replace(MASK_OR_WORD, (word) => (word[0] !== "[" && isName(word) ? "[имя]" : word));
}

/** Returns the number of masks in a masked text. */
export const countMasks = (text: string): number => MASKS.reduce((sum, mask) => sum + text.split(mask).length - 1, 0);
