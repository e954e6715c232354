/** Letters that an attacker writes to stop a server: each up to what is read of one. */

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

const attached = (head: string, body: string) =>
  `--b\r\n\r\nПривет\r\n--b\r\nContent-Disposition: attachment; filename="a.zip"\r\n${head}\r\n\r\n${body}\r\n--b--`;
const mixed = { "Content-Type": 'multipart/mixed; boundary="b"' };

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
  "results of checks without end": [{ "Authentication-Results": fill("mail.test;((a=b ", 500_000) }, "Привет"],
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
  "right to left and invisible": [
    { Subject: "\u202e\u200b\u2066\ufeff".repeat(2000) },
    fill("\u202e\u200f\u200b\u2067а"),
  ],
  "a flood of headers": [
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`X-${at}`, "a; b=c; ".repeat(4)])),
    "Привет",
  ],
  "headers folded without end": [{ Subject: fill("a\r\n ", 500_000), "X-Folded": fill("\r\n\t", 300_000) }, "Привет"],
  "parameters without end": [{ "Content-Type": `text/plain; ${fill("a*0*=utf-8''%d0; ", 400_000)}` }, "Привет"],
  "references to itself": [
    {
      References: fill("<loop@evil.test> ", 20_000),
      "In-Reply-To": "<loop@evil.test>",
      "Message-ID": "<loop@evil.test>",
    },
    "Привет",
  ],
  "a packed attachment": [
    mixed,
    attached("Content-Transfer-Encoding: base64", fill(`${"UEsDBBQAAAAIAAAAIQ".repeat(4)}\r\n`)),
  ],
  "an attachment that is no base64": [mixed, attached("Content-Transfer-Encoding: base64", fill("=\u0000?%"))],
  "a letter in letters": [{ "Content-Type": "message/rfc822" }, fill("Content-Type: message/rfc822\r\n\r\n")],
  "letters that there are not": [{ "Content-Type": 'text/plain; charset="x-no-such\u0000"' }, fill("\u00ff\u00fe")],
  "soft line ends": [{ "Content-Transfer-Encoding": "quoted-printable" }, fill("=\r\n=D0=")],
  "a table of a page": [html, fill("<table><tr><td>")],
  "styles of a page": [html, fill("<style>a{b:c}</style><p style='x:y'>")],
};

/** So many letters, one kind after the other. */
export const hostileLetters = (to: string, count: number): { kind: string; source: string }[] =>
  Array.from({ length: count }, (_, at) => {
    const [kind, [headers, body]] = Object.entries(KINDS)[at % Object.keys(KINDS).length]!;
    return { kind, source: letter(to, `hostile-${at}`, headers, body) };
  });

export const HOSTILE_KINDS = Object.keys(KINDS).length;
