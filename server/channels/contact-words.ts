/** What a contact may order by a word. */

const STOP =
  /^\s*\/?(?:стоп|stop|отписаться|unsubscribe|не пишите(?: мне)?(?: больше)?|больше не пишите(?: мне)?)\s*[.!]*\s*$/iu;
const START = /^\s*\/?(?:старт|start)\s*[.!]*\s*$/iu;

/** The contact wants no more replies. Only a message that says nothing else: «стоп, а сколько стоит?» is a question. */
export const asksToStop = (text: string): boolean => STOP.test(text);
/** The contact wants them (again); also what Telegram sends when a bot is opened. */
export const asksToStart = (text: string): boolean => START.test(text);
