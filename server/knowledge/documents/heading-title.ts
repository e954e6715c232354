/** Removes the closing marks of a Markdown heading: «Доставка ##» is «Доставка». */
export function headingTitle(text: string): string {
  const said = text.trimEnd();
  let end = said.length;
  while (end > 0 && said[end - 1] === "#") end--;
  return said.slice(0, end).trim();
}
