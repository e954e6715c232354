/** Normalises a message for the measure of fidelity: topics and names become placeholders, manner stays. */

const PLACED = "\u2398";
/** «ник: текст» and «@ник текст»: the addressee's name is not manner. */
const LEADING_NICK = /^(?:@[\w.-]{2,32}[,:]?|[\p{L}\p{N}_[\]{}\\|^`-]{2,32}[:,](?=\s))\s*/u;
const DIGITS = /\p{Nd}+/gu;

/**
 * Replaces URLs, addresses and digits by placeholders and removes a leading nick. Case, punctuation, emoji and typos stay.
 * @param options nicks: whether messages may begin with the name of their addressee, as in group chats
 */
export function normalise(text: string, { nicks = false }: { nicks?: boolean } = {}): string {
  const bare = nicks ? text.replace(LEADING_NICK, "") : text;
  // Most messages hold none, and the whole pattern is expensive.
  const placed = /:\/\/|www\.|@/iu.test(bare) ? bare.replace(/\S+/gu, withoutAddress) : bare;
  return placed.replace(DIGITS, "0").replace(/\s+/gu, " ").trim();
}

/** The word without its address: an e-mail address is replaced as a whole, a URL may have marks before it. */
function withoutAddress(word: string): string {
  const at = word.indexOf("@", 1);
  if (at > 0 && word.slice(0, -1).lastIndexOf(".") >= at + 2) return PLACED;
  return word.replace(/(?:https?:\/\/|www\.)\S+/iu, PLACED);
}
