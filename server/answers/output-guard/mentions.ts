/**
 * Recognises platform-specific mentions of accounts: VK's «[club1|текст]» and «*id1 (текст)». Slack's and Discord's «<@1>» are handled as
 * tags (markup.ts), «@name» as an address (addresses.ts).
 */

/** A Latin name before a bar: «[id1|Анна]», «[https://…|сюда]». */
const BARRED = /^([a-z][^\s|]{0,250})\|([^\n]*)$/iu;
const BARRED_IN_TEXT = /\[([a-z][^\s|[\]]{0,250})\|/giu;
/** VK treats a star before a name as a mention, like «@». */
const STARRED = /(?<![\p{L}\p{N}_*])\*{1,3}([a-z][a-z0-9_.]{0,30}[a-z0-9_])(?![\p{L}\p{N}_])/giu;
const NUMBERED = /^(?:id|club|public|event|app|group)\d{1,15}$/i;

export const mentionKey = (name: string): string => `@${name.toLowerCase()}`;

export const namedIn = (text: string): string[] =>
  [BARRED_IN_TEXT, STARRED].flatMap((notation) => [...text.matchAll(notation)].map(([, name]) => name!));

/** Returns the shown text of «[name|label]»; null if it is no mention. @param mayLink called with an address or a mention's key */
export function barredLabel(inside: string, mayLink: (address: string) => boolean): string | null {
  const barred = BARRED.exec(inside);
  if (barred === null) return null;
  const [, name, label] = barred;
  if (mayLink(name!) || mayLink(mentionKey(name!))) return `[${inside}]`;
  return isAddressLike(name!) ? label! : mayBeChosen(name!) ? `[${name} | ${label}]` : null;
}

const isAddressLike = (name: string) => /[\d._:/@]/.test(name);
/** Whether a VK user may have chosen this name: VK requires five characters. */
const mayBeChosen = (name: string) => name.length >= 5;

/** Removes mentions that are not allowed: those with a star, and those with a bracket that is not closed nearby. */
export function withoutMentions(text: string, mayLink: (key: string) => boolean): string {
  const barred = text.includes("|")
    ? text.replace(BARRED_IN_TEXT, (whole, name: string) => {
        if (mayLink(name) || mayLink(mentionKey(name))) return whole;
        return isAddressLike(name) ? "[" : mayBeChosen(name) ? `[${name} | ` : whole;
      })
    : text;
  if (!barred.includes("*")) return barred;
  return barred.replace(STARRED, (whole, name: string, at: number) => {
    if (mayLink(mentionKey(name))) return whole;
    if (NUMBERED.test(name)) return "";
    return /^\s?\(/.test(barred.slice(at + whole.length, at + whole.length + 2)) ? name : whole;
  });
}
