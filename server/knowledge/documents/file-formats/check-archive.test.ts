import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { zipOf } from "#server/test/files/zip.ts";
import { checkArchive } from "./check-archive.ts";

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024);

describe("checking an archive before it is unpacked", () => {
  test("a valid archive is listed", async () => {
    expect(
      (await checkArchive(readFileSync(join(import.meta.dirname, "../samples", "memo.docx")))).map(({ name }) => name),
    ).toContain("word/document.xml");
    expect(await checkArchive(zipOf([{ name: "a.txt", content: Buffer.from("привет") }]))).toMatchObject([
      { name: "a.txt", size: 12 },
    ]);
  });

  test.each([
    ["a bomb", zipOf([{ name: "a.xml", content: zeros(30) }]), "archive_too_large"],
    [
      "more than 200 MB in all",
      zipOf(Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, size: 50e6 }))),
      "archive_too_large",
    ],
    ["more than 1,000 files", zipOf(Array.from({ length: 1001 }, (_, at) => ({ name: `${at}` }))), "archive_too_large"],
    [
      "a header that says less than there is",
      zipOf([{ name: "a.xml", content: zeros(20), size: 100 }]),
      "document_damaged",
    ],
    ["a header that says more than there is", zipOf([{ name: "a.xml", size: 100 }]), "document_damaged"],
    ["a name that climbs out", zipOf([{ name: "../../etc/passwd" }]), "archive_unsafe"],
    ["an absolute name", zipOf([{ name: "/etc/passwd" }]), "archive_unsafe"],
    ["a Windows name", zipOf([{ name: "..\\a" }]), "archive_unsafe"],
    ["two names for one file", zipOf([{ name: "a", localName: "b" }]), "document_damaged"],
    ["an end without a beginning", Buffer.from("PK\x03\x04PK\x05\x06"), "document_damaged"],
    ["a truncated one", zipOf([{ name: "a" }]).subarray(0, 40), "document_damaged"],
  ])("%s is refused", async (_, zip, code) => {
    const before = process.memoryUsage().arrayBuffers;
    await expect(checkArchive(zip)).rejects.toMatchObject({ code });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
  });
});
