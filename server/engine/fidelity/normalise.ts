/** A message as the measure of likeness reads it: what is topic or a name becomes a placeholder, what is manner stays. */

const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/giu;
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
  const placed = /:\/\/|www\.|@/iu.test(bare) ? bare.replace(ADDRESS, "\u2398") : bare;
  return placed.replace(DIGITS, "0").replace(/\s+/gu, " ").trim();
}
