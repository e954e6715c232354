/** A message as the measure of likeness reads it: what is topic or a name becomes a placeholder, what is manner stays. */

const PLACED = "\u2398";
/** «ник: текст» and «@ник текст»: whom a message speaks to is no manner. */
const LEADING_NICK = /^(?:@[\w.-]{2,32}[,:]?|[\p{L}\p{N}_[\]{}\\|^`-]{2,32}[:,](?=\s))\s*/u;
const DIGITS = /\p{Nd}+/gu;

/**
 * URLs, addresses and digits become placeholders, a leading nick goes. Case, punctuation, emoji and typos stay.
 * @param options nicks: whether messages may begin with the name of whom they speak to, as in group chats
 */
export function normalise(text: string, { nicks = false }: { nicks?: boolean } = {}): string {
  const bare = nicks ? text.replace(LEADING_NICK, "") : text;
  // Most messages hold none, and the whole pattern is dear.
  const placed = /:\/\/|www\.|@/iu.test(bare) ? bare.replace(/\S+/gu, withoutAddress) : bare;
  return placed.replace(DIGITS, "0").replace(/\s+/gu, " ").trim();
}

/** Of one word: an e-mail address is nothing else, a URL may have marks before it. */
function withoutAddress(word: string): string {
  const at = word.indexOf("@", 1);
  if (at > 0 && word.slice(0, -1).lastIndexOf(".") >= at + 2) return PLACED;
  return word.replace(/(?:https?:\/\/|www\.)\S+/iu, PLACED);
}
