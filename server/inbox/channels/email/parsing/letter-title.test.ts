import { expect, test } from "vitest";
import { titleOf } from "./letter-title.ts";

const title = (...lines: string[]) => titleOf(Buffer.from(`${lines.join("\r\n")}\r\n\r\nFrom: text@a.test`));

test.each<[string[], string]>([
  [["From: Anna <anna@a.test>", "Subject: Order"], "Письмо от Anna <anna@a.test> «Order»"],
  [["Subject: Order"], "Письмо «Order»"],
  [["Received: by a.test"], "Письмо"],
  [["no header at all", " its next line"], "Письмо"],
  [["SUBJECT: First", "Subject: Second", " of two"], "Письмо «First»"],
  [["Subject: In", "\tthree", "  lines"], "Письмо «In three lines»"],
  [["Subject: =?utf-8?B?0J7RgtCy0LXRgg==?= =?utf-8?Q?_=D0=B4=D0=B0?="], "Письмо «Ответ да»"],
  [["Subject: =?koi8-r?B?5M/T1MHXy8E=?= 2"], "Письмо «Доставка 2»"],
  [["Subject: =?no-such-charset?B?0J7RgtCy0LXRgg==?= 2"], "Письмо «2»"],
  [["Subject: 2 + 2 =?X?= 4"], "Письмо «2 + 2 =?X?= 4»"],
  [["Subject: =?utf-8?B?0J7RgtCy0LXRgg==? cut"], "Письмо «=?utf-8?B?0J7RgtCy0LXRgg==? cut»"],
])("%j is named %s", (lines, named) => {
  expect(title(...lines)).toBe(named);
});

test("a NUL is left out, and long names are cut", () => {
  expect(title("Subject: a\u0000b")).toBe("Письмо «ab»");
  const long = title(`From: ${"f".repeat(900)}`, ` ${"g".repeat(900)}`, " h", `Subject: ${"s".repeat(900)}`);
  expect(long).toBe(`Письмо от ${"f".repeat(100)} «${"s".repeat(80)}»`);
});
