import { expect, test } from "vitest";
import { innerQuotes } from "#contract/inner-quotes.ts";

test("quotes within quotes are of the other kind, and a name without any stays as it is", () => {
  expect(`двойника «${innerQuotes("Поддержка «Полтора чайника»")}»`).toBe("двойника «Поддержка „Полтора чайника“»");
  expect(innerQuotes("Анна")).toBe("Анна");
});
