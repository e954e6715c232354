/** What a contact may order by a word. */

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
/** Longer ones say more than an order, whatever they are filled with. */
const LONGEST = 100;

/** The contact wants no more replies. Only a message that says nothing else: «стоп, а сколько стоит?» is a question. */
export const asksToStop = (text: string): boolean => STOP.has(orderIn(text));
/** The contact wants them (again); also what Telegram sends when a bot is opened. */
export const asksToStart = (text: string): boolean => START.has(orderIn(text));

/** The words of a short message, without the slash before and the marks behind them; "" for a longer one. */
function orderIn(text: string): string {
  const said = text.trim();
  if (said.length > LONGEST) return "";
  let end = said.length;
  while (end > 0 && ".! \n\t".includes(said[end - 1]!)) end--;
  return said.slice(said.startsWith("/") ? 1 : 0, end).toLowerCase();
}
