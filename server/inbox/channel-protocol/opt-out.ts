/** Recognises the words by which a contact opts out of replies and in again. */

const STOP = new Set(
  [
    "стоп",
    "stop",
    "отписаться",
    "unsubscribe",
    "не пишите",
    "не пишите больше",
    "не пишите мне",
    "не пишите мне больше",
  ].concat("больше не пишите", "больше не пишите мне"),
);
const START = new Set(["старт", "start"]);
/** Characters; a longer message says more than an opt-out. */
const LONGEST = 100;

/** Returns whether the contact opts out. The message must say nothing else, because «стоп, а сколько стоит?» is a question. */
export const isOptOut = (text: string): boolean => STOP.has(orderIn(text));
/** Returns whether the contact opts in (again). Telegram sends the same word when a bot is opened. */
export const isOptIn = (text: string): boolean => START.has(orderIn(text));

/** Returns the words of a short message without a leading slash and trailing marks; "" for a longer one. */
function orderIn(text: string): string {
  const said = text.trim();
  if (said.length > LONGEST) return "";
  let end = said.length;
  while (end > 0 && ".! \n\t".includes(said[end - 1]!)) end--;
  return said.slice(said.startsWith("/") ? 1 : 0, end).toLowerCase();
}
