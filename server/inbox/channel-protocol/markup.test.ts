import { expect, test } from "vitest";
import { plainText, slackText, whatsappText } from "./markup.ts";

const ANSWER = "# Доставка\n- **два дня**, *бережно*\n- `код` и ~~нет~~: [сайт](https://a.ru/?x=1&y=2)\n2 * 3 * 4 < 25";

test("the Markdown of models is converted for WhatsApp and Slack and taken away for VK, and other signs stay as they were written", () => {
  expect(whatsappText(ANSWER)).toBe(
    "*Доставка*\n• *два дня*, _бережно_\n• `код` и ~нет~: сайт: https://a.ru/?x=1&y=2\n2 * 3 * 4 < 25",
  );
  expect(slackText(ANSWER)).toBe(
    "*Доставка*\n• *два дня*, _бережно_\n• `код` и ~нет~: <https://a.ru/?x=1&amp;y=2|сайт>\n2 * 3 * 4 &lt; 25",
  );
  expect(plainText(ANSWER)).toBe(
    "Доставка\n• два дня, бережно\n• код и нет: сайт: https://a.ru/?x=1&y=2\n2 * 3 * 4 < 25",
  );
  expect(slackText("<!channel> & <@U1>")).toBe("&lt;!channel&gt; &amp; &lt;@U1&gt;");
});
