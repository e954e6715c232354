/** Returns the beginning of a text, at most `most` characters, cut after a word. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  return (space > 0 ? cut.slice(0, space) : cut).trimEnd();
}
