/** Recognises the words by which a contact stops and starts the replies. */

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
/** Characters: a longer message says more than such a word. */
const LONGEST = 100;

/** Whether the contact wants no more replies: only a message that says nothing else, because «стоп, а сколько стоит?» is a question. */
export const isOptOut = (text: string): boolean => STOP.has(orderIn(text));
/** Whether the contact wants replies (again); also what Telegram sends when a bot is opened. */
export const isOptIn = (text: string): boolean => START.has(orderIn(text));

/** The words of a short message without the slash before and the marks after them; "" for a longer one. */
function orderIn(text: string): string {
  const said = text.trim();
  if (said.length > LONGEST) return "";
  let end = said.length;
  while (end > 0 && ".! \n\t".includes(said[end - 1]!)) end--;
  return said.slice(said.startsWith("/") ? 1 : 0, end).toLowerCase();
}
