/**
 * Repairs known errors of Telegram Desktop in one message: control characters as `\xNN`, raw control characters inside strings, other
 * unknown escapes, and (4.1) custom emoji with `"document_id": path/without quotes`. The result may still not be JSON.
 */
export function repairJson(broken: string): string {
  const text = broken.replace(
    /^([ \t]*"document_id"[ \t]*:[ \t]*)(?![" \t])([^\r\n]*)$/gm,
    (line, key: string, rest: string) => {
      const said = rest.trimEnd();
      const comma = said.endsWith(",") ? "," : "";
      const value = said.slice(0, said.length - comma.length);
      return /^(-?\d+|null)$/.test(value) ? line : `${key}${JSON.stringify(value)}${comma}`;
    },
  );
  let mended = "";
  let copied = 0;
  const put = (upTo: number, replacement: string, resumeAt: number): void => {
    mended += text.slice(copied, upTo) + replacement;
    copied = resumeAt;
  };
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) inString = !inString;
    else if (!inString) continue;
    else if (code < 0x20) put(at, `\\u${code.toString(16).padStart(4, "0")}`, at + 1);
    else if (code === 0x5c) {
      const next = text[at + 1] ?? "";
      const hex = next === "x" ? /^[0-9a-fA-F]{2}/.exec(text.slice(at + 2, at + 4))?.[0] : undefined;
      if (hex !== undefined) {
        put(at, `\\u00${hex}`, at + 4);
        at += 3;
      } else {
        // An escape unknown to JSON means the character itself.
        if (!'"\\/bfnrtu'.includes(next)) put(at, "", at + 1);
        at++;
      }
    }
  }
  return mended + text.slice(copied);
}
