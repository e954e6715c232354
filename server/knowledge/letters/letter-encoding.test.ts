import { simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { toUtf8Letter } from "./letter-encoding.ts";

/** Encodes by the inverse of the platform's decoder, which has no encoder. */
function encode(text: string, encoding: string): Buffer {
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte] as const),
  );
  return Buffer.from([...text].map((char) => bytes.get(char) ?? 0x3f));
}
const QUESTION = "Здравствуйте! Сколько стоит замена масла? Приеду в субботу, если есть время";
const letter = (type: string, body: Buffer, ...head: (string | Buffer)[]) =>
  Buffer.concat([
    ...["From: Boris <boris@client.test>", `Content-Type: ${type}`, ...head].flatMap((line) => [
      Buffer.from(line as string),
      Buffer.from("\r\n"),
    ]),
    ...[Buffer.from("\r\n"), body, Buffer.from("\r\n")],
  ]);
const read = async (source: Buffer) => simpleParser(await toUtf8Letter(source));

test.each([
  ["no charset", "text/plain", "windows-1251"],
  ["us-ascii above windows-1251", "text/plain; charset=us-ascii", "windows-1251"],
  ["utf-8 above windows-1251", "text/plain; charset=utf-8", "windows-1251"],
  ["utf-8 above koi8-r", 'text/plain; charset="utf-8"', "koi8-r"],
  ["iso-8859-1 above windows-1251", "text/plain; charset=iso-8859-1", "windows-1251"],
  ["koi8-r above windows-1251", "text/plain; charset=koi8-r", "windows-1251"],
  ["windows-1251 above koi8-r", "text/plain; charset=windows-1251", "koi8-r"],
  ["an unknown name above ibm866", "text/plain; charset=x-unknown", "ibm866"],
  ["no type at all", "", "windows-1251"],
])("a text is read by its bytes: %s", async (_, type, encoding) => {
  const { text } = await read(letter(type, encode(QUESTION, encoding)));
  expect(text?.trim()).toBe(QUESTION);
});

test("UTF-8 under another label is read, in base64, in quoted-printable and with flowing lines too", async () => {
  const plain = Buffer.from(QUESTION);
  const type = "text/plain; charset=windows-1251";
  const coded = Buffer.from(plain.toString("base64"));
  const quoted = Buffer.from([...plain].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""));
  expect((await read(letter(type, plain))).text?.trim()).toBe(QUESTION);
  expect((await read(letter(type, coded, "Content-Transfer-Encoding: base64"))).text?.trim()).toBe(QUESTION);
  expect((await read(letter(type, quoted, "Content-Transfer-Encoding: quoted-printable"))).text?.trim()).toBe(QUESTION);
  const flowed = encode(QUESTION.replace("! ", "! \r\n"), "windows-1251");
  expect((await read(letter("text/plain; format=flowed", flowed))).text?.trim()).toBe(QUESTION);
});

test("a page's own charset decides where the header names none", async () => {
  const page = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head><body>${QUESTION}</body></html>`;
  expect((await read(letter("text/html", encode(page, "koi8-r")))).html).toContain(QUESTION);
});

test.each([
  ["French", "windows-1252", "Bonjour, je vais à Paris. Combien coûte la réparation ?"],
  ["Polish", "iso-8859-2", "Dzień dobry, ile kosztuje naprawa łańcucha?"],
  ["Greek", "windows-1253", "Καλημέρα, πόσο κοστίζει η επισκευή;"],
  ["Russian", "iso-8859-5", QUESTION],
])("a right label is believed: %s", async (_, encoding, question) => {
  const source = letter(`text/plain; charset=${encoding}`, encode(question, encoding));
  expect(await toUtf8Letter(source)).toBe(source);
  expect((await read(source)).text?.trim()).toBe(question);
});

test("bytes in a header without encoding are read, and the parts that are right stay as they are", async () => {
  const line = (name: string, text: string) => Buffer.concat([Buffer.from(`${name}: `), encode(text, "windows-1251")]);
  const head = [line("Subject", "Замена масла"), line("To", "Вера Мастер <vera@garage.test>")];
  const part = (type: string, body: Buffer) => [
    Buffer.from(`--b\r\nContent-Type: ${type}\r\n\r\n`),
    body,
    Buffer.from("\r\n"),
  ];
  const body = Buffer.concat([
    ...part("text/plain", encode(QUESTION, "windows-1251")),
    ...part(
      "application/octet-stream\r\nContent-Disposition: attachment; filename=a.bin",
      Buffer.from([0xff, 0xfe, 0xe0]),
    ),
    Buffer.from("--b--\r\n"),
  ]);
  for (const type of ["text/plain; charset=windows-1251", "text/plain"]) {
    const labelled = await read(letter(type, encode(QUESTION, "windows-1251"), ...head));
    expect([labelled.subject, labelled.text?.trim()]).toEqual(["Замена масла", QUESTION]);
  }
  const mail = await read(letter("multipart/mixed; boundary=b", body, ...head));
  expect(mail.subject).toBe("Замена масла");
  expect([mail.to].flat()[0]!.value[0]).toMatchObject({ name: "Вера Мастер", address: "vera@garage.test" });
  expect(mail.text?.trim()).toBe(QUESTION);
  expect(mail.attachments[0]!.content).toEqual(Buffer.from([0xff, 0xfe, 0xe0]));
});

test("a letter that ends in the middle of a character is read as far as it goes", async () => {
  const source = letter("text/plain; charset=utf-8", Buffer.from(QUESTION).subarray(0, -1));
  expect((await read(source.subarray(0, -2))).text).toContain("Здравствуйте! Сколько стоит");
});

test.each([
  ["windows-1251", "СКОЛЬКО СТОИТ ДОСТАВКА В КАЗАНЬ?"],
  ["windows-1251", "ЦЕНА?"],
  ["koi8-r", "СКОЛЬКО СТОИТ ДОСТАВКА В КАЗАНЬ?"],
])("capitals in %s are read with and without their label", async (encoding, question) => {
  for (const type of [`text/plain; charset=${encoding}`, "text/plain"]) {
    expect((await read(letter(type, encode(question, encoding)))).text?.trim()).toBe(question);
  }
});

test("one wrong byte in UTF-8 costs one character", async () => {
  const source = letter("text/plain; charset=utf-8", Buffer.concat([Buffer.from(`${QUESTION} `), Buffer.from([0xa0])]));
  expect((await read(source)).text).toContain(QUESTION);
});
