import { expect, test } from "vitest";
import { isLatin } from "./style-transfer.ts";

test("a link, an address or a file name does not make a Russian message English", () => {
  for (const text of [
    "https://shop.example/catalogue/coffee-ethiopia-natural есть?",
    "почём вот это www.shop.example/item/12345",
    "напишите на wonderful.customer@example.com",
    "https://shop.example/catalogue/coffee",
    "открыл layout_final_version_2.pdf и пусто",
  ])
    expect(isLatin(text), text).toBe(false);
  for (const text of ["How much is it?", "Is https://shop.example/a the right one?"])
    expect(isLatin(text), text).toBe(true);
});
