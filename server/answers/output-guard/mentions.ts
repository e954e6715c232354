/**
 * Whom platforms make of a text by notations of their own: VK's «[club1|текст]» and «*id1 (текст)». Slack's and Discord's «<@1>» are
 * read with tags (markup.ts), and «@name» with addresses (addresses.ts).
 */

/** A Latin name before a bar: «[id1|Анна]», «[https://…|сюда]». */
const BARRED = /^([a-z][^\s|]{0,250})\|([^\n]*)$/iu;
const BARRED_IN_TEXT = /\[([a-z][^\s|[\]]{0,250})\|/giu;
/** VK takes a star before a name for a mention, as it does «@». */
const STARRED = /(?<![\p{L}\p{N}_*])\*{1,3}([a-z][a-z0-9_.]{0,30}[a-z0-9_])(?![\p{L}\p{N}_])/giu;
/** Names that VK gives out itself. */
const NUMBERED = /^(?:id|club|public|event|app|group)\d{1,15}$/i;

/** The key of a mentioned account, in any notation. */
export const mentionKey = (name: string): string => `@${name.toLowerCase()}`;

/** The names that a text mentions in VK's notations. */
export const namedIn = (text: string): string[] =>
  [BARRED_IN_TEXT, STARRED].flatMap((notation) => [...text.matchAll(notation)].map(([, name]) => name!));

/** What is shown of «[name|label]»; null: it is no mention. @param mayLink called with an address or a mention's key */
export function barredLabel(inside: string, mayLink: (address: string) => boolean): string | null {
  const barred = BARRED.exec(inside);
  if (barred === null) return null;
  const [, name, label] = barred;
  if (mayLink(name!) || mayLink(mentionKey(name!))) return `[${inside}]`;
  return isAddressLike(name!) ? label! : mayBeChosen(name!) ? `[${name} | ${label}]` : null;
}

const isAddressLike = (name: string) => /[\d._:/@]/.test(name);
/** Whether VK may have a user of this name. */
const mayBeChosen = (name: string) => name.length >= 5;

/** The text without the mentions that it may not contain: by a star, and by a bracket that ends nowhere near. */
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
