/** Normalises a message for measuring fidelity: placeholders replace subjects and names, style stays. */

const PLACED = "\u2398";
/** The addressee's name is no style: «ник: текст», «@ник текст». */
const LEADING_NICK = /^(?:@[\w.-]{2,32}[,:]?|[\p{L}\p{N}_[\]{}\\|^`-]{2,32}[:,](?=\s))\s*/u;
const DIGITS = /\p{Nd}+/gu;

/**
 * Replaces URLs, addresses and digits by placeholders and removes a leading nick. Case, punctuation, emoji and typos stay.
 * @param options nicks: whether messages may begin with their addressee's name, as in group chats
 */
export function normalise(text: string, { nicks = false }: { nicks?: boolean } = {}): string {
  const bare = nicks ? text.replace(LEADING_NICK, "") : text;
  // Most messages contain no address, and the full pattern is slow.
  const placed = /:\/\/|www\.|@/iu.test(bare) ? bare.replace(/\S+/gu, withoutAddress) : bare;
  return placed.replace(DIGITS, "0").replace(/\s+/gu, " ").trim();
}

function withoutAddress(word: string): string {
  const at = word.indexOf("@", 1);
  if (at > 0 && word.slice(0, -1).lastIndexOf(".") >= at + 2) return PLACED;
  return word.replace(/(?:https?:\/\/|www\.)\S+/iu, PLACED);
}
