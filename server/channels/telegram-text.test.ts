import { expect, test } from "vitest";
import { telegramHtml } from "./telegram-text.ts";

test("what looks like a tag is text; the little Markdown of models is shown as meant", () => {
  expect(telegramHtml("a < b & <script>")).toBe("a &lt; b &amp; &lt;script&gt;");
  expect(telegramHtml("**Важно**: `код` и 2 ** 3")).toBe("<b>Важно</b>: <code>код</code> и 2 ** 3");
});
