import { expect, test } from "vitest";
import { serverName } from "./connection-words.ts";

test.each([
  ["Лавка 2.1", "Лавка"],
  ["shop-mcp v1.0.0-beta", "shop-mcp"],
  ["Лавка", "Лавка"],
  ["Лавка на углу", "Лавка на углу"],
  ["mcp.example.ru", "mcp.example.ru"],
])("the server %s is shown as %s", (title, name) => {
  expect(serverName(title)).toBe(name);
});
