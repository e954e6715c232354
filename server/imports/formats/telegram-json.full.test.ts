import { describe, expect, test } from "vitest";
import { telegramJson } from "./telegram-json.ts";

describe("reading result.json", () => {
  test("a file of 100 MB needs little memory and the source is closed when the reader stops early", async () => {
    let closed = false;
    const piece = Buffer.from(
      `${JSON.stringify({ id: 1, type: "message", from: "А", from_id: "user1", text: "т".repeat(400) })},\n`.repeat(
        100,
      ),
    );
    async function* source() {
      try {
        yield Buffer.from('{"name":"Чат","type":"personal_chat","id":1,"messages":[');
        for (let sent = 0; sent < 100e6; sent += piece.length) yield piece;
      } finally {
        closed = true;
      }
    }
    const before = process.memoryUsage().rss;
    let peak = 0;
    let count = 0;
    for await (const event of telegramJson.read(source())) {
      if (event.type === "message" && ++count % 10_000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
    }
    expect(count).toBeGreaterThan(90_000);
    expect(peak - before).toBeLessThan(150e6);
    closed = false;
    for await (const event of telegramJson.read(source())) if (event.type === "message") break;
    expect(closed).toBe(true);
  });
});
