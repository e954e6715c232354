/** The title of a Markdown heading without the marks that may close it: «Доставка ##» is «Доставка». */
export function headingTitle(text: string): string {
  const said = text.trimEnd();
  let end = said.length;
  while (end > 0 && said[end - 1] === "#") end--;
  return said.slice(0, end).trim();
}
