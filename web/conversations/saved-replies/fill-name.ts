import { NAME_PLACE } from "#contract/conversations/saved-replies.ts";

/** Returns the text with the contact's first name. When the contact has no name, only a number or a handle, the placeholder is removed. */
export function fillName(text: string, contact: string): string {
  const first = /^\p{L}[\p{L}’'-]*/u.exec(contact.trim())?.[0];
  if (first !== undefined) return text.replaceAll(NAME_PLACE, () => first);
  const without = text.replaceAll(`, ${NAME_PLACE}`, "").replaceAll(`${NAME_PLACE}, `, "").replaceAll(NAME_PLACE, "");
  return text.startsWith(NAME_PLACE) ? without.charAt(0).toLocaleUpperCase("ru") + without.slice(1) : without;
}
