import { expect, test } from "vitest";
import { telegramHtml } from "./text.ts";

test("tags are escaped, and the Markdown of models is rendered", () => {
  expect(telegramHtml("a < b & <script>")).toBe("a &lt; b &amp; &lt;script&gt;");
  expect(telegramHtml("**Важно**: `код` и 2 ** 3")).toBe("<b>Важно</b>: <code>код</code> и 2 ** 3");
});
