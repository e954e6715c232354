/** Letters that somebody writes to stop a server: each up to what is read of one. */

const BYTES = 1_000_000;
const fill = (unit: string, bytes = BYTES) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

const letter = (to: string, id: string, headers: Record<string, string>, body: string): string => {
  const all = {
    From: "Mallory <mallory@evil.test>",
    To: to,
    Subject: "Vopros",
    "Message-ID": `<${id}@evil.test>`,
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  return [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", body, ""].join("\r\n");
};

const report = { "Content-Type": 'multipart/report; boundary="b"', "Auto-Submitted": "auto-replied" };
const html = { "Content-Type": "text/html; charset=utf-8" };

/** Headers and body by what they are after. */
const KINDS: Record<string, [headers: Record<string, string>, body: string]> = {
  "a report of one address without end": [report, `Final-Recipient: rfc822; a@${fill("a")}`],
  "a report of spaces": [report, `Final-Recipient: rfc822;${fill(" ")}x`],
  "a stop among spaces": [{}, `стоп${fill(" ", 19_900)}x`],
  "quotes without end": [{}, fill("> ")],
  "heads of quotes": [{}, fill("On 1.1.2026 10:10, a <a@b.test> wrote:\r\n")],
  "dashes and blanks": [{}, fill("-- \r\n \r\n")],
  "one line of dots": [{}, fill(".")],
  "nested tags": [html, fill("<b>")],
  "tags that do not end": [html, fill("<a href=")],
  "quotes in HTML": [html, fill("<blockquote class=gmail_quote>")],
  "comments that do not end": [html, fill("<!--")],
  entities: [html, fill("&lt;&#x3c;")],
  "addresses without end": [{ Cc: fill("a@b.test, ", 500_000) }, "Привет"],
  "groups of addresses": [{ Cc: fill("a:b@c.test;", 300_000) }, "Привет"],
  "references without end": [{ References: fill("<a@b.test> ", 500_000) }, "Привет"],
  "encoded words": [{ Subject: fill("=?utf-8?B?0J8=?= ", 300_000) }, "Привет"],
  "parts in parts": [
    { "Content-Type": 'multipart/mixed; boundary="b0"' },
    Array.from(
      { length: 3000 },
      (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary="b${at + 1}"\r\n\r\n`,
    ).join(""),
  ],
  "many parts": [{ "Content-Type": 'multipart/mixed; boundary="b"' }, fill("--b\r\n\r\na\r\n")],
  "combining marks": [{}, fill("e\u0301\u200b")],
  "a stream of one word": [{}, fill("а")],
};

/** So many letters, one kind after the other. */
export const hostileLetters = (to: string, count: number): { kind: string; source: string }[] =>
  Array.from({ length: count }, (_, at) => {
    const [kind, [headers, body]] = Object.entries(KINDS)[at % Object.keys(KINDS).length]!;
    return { kind, source: letter(to, `hostile-${at}`, headers, body) };
  });

export const HOSTILE_KINDS = Object.keys(KINDS).length;
