import { expect, test } from "vitest";
import { slackBlockMarkup } from "./slack-blocks.ts";

const section = (...elements: object[]) => ({ type: "rich_text", elements: [{ type: "rich_text_section", elements }] });

test.each<[string, unknown, string]>([
  ["plain text", section({ type: "text", text: "Цены <1000> & меньше" }), "Цены &lt;1000&gt; &amp; меньше"],
  ["people and places", section({ type: "user", user_id: "U1" }, { type: "channel", channel_id: "C1" }), "<@U1><#C1>"],
  [
    "everybody",
    section({ type: "broadcast", range: "here" }, { type: "usergroup", usergroup_id: "S1" }),
    "<!here><!subteam^S1>",
  ],
  [
    "a link and an emoji",
    section({ type: "link", url: "https://a.test", text: "тут" }, { type: "emoji", name: "wave" }),
    "<https://a.test|тут>:wave:",
  ],
  [
    "a header, fields and a context",
    [
      { type: "header", text: { type: "plain_text", text: "Прайс" } },
      {
        type: "section",
        fields: [
          { type: "mrkdwn", text: "*Масло*" },
          { type: "plain_text", text: "1800" },
        ],
      },
      { type: "context", elements: [{ type: "mrkdwn", text: "до <@U1>" }] },
    ],
    "Прайс\n*Масло*\n1800\nдо <@U1>",
  ],
  ["something else", { blocks: null }, ""],
])("blocks become the markup of a message: %s", (_, blocks, markup) => {
  expect(slackBlockMarkup(blocks)).toBe(markup);
});

test("blocks nested without end are read as far as they go", () => {
  let blocks: unknown = "x";
  for (let at = 0; at < 5000; at++) blocks = { elements: [blocks] };
  expect(slackBlockMarkup(blocks)).toBe("");
});
