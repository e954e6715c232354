import { expect, test } from "vitest";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { longPage } from "#server/test/files/hostile-documents.ts";
import { pdfText } from "./pdf-text.ts";

test("a single page with more text than a document may have is refused while it is read", async () => {
  await expect(pdfText(longPage(MAX_DOCUMENT_CHARS * 1.4))).rejects.toMatchObject({
    status: 413,
    code: "document_too_large",
  });
  expect((await pdfText(longPage(20_000))).text.length).toBeGreaterThanOrEqual(20_000);
});
