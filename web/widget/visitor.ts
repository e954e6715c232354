/** The visitor's secret: 256 random bits in this frame's storage. Only its holder can read the conversation. */
export function visitorOf(id: string): string {
  const name = `visitor ${id}`;
  try {
    const known = localStorage.getItem(name);
    if (known !== null && /^[\w-]{43}$/.test(known)) return known;
  } catch {
    // Storage may be blocked; the conversation then lasts as long as the page.
  }
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const made = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
  try {
    localStorage.setItem(name, made);
  } catch {
    // Storage may be blocked here too.
  }
  return made;
}
