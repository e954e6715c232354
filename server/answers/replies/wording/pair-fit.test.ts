import { describe, expect, it } from "vitest";
import { pairFit } from "./pair-fit.ts";

const even = () => 0.8;
const likely = (message: string, incoming: string, reply: string) => pairFit(message, even)({ incoming, reply });

describe("how likely a past reply fits a message", () => {
  it("is nothing where they share one word, however short both are", () => {
    expect(likely("грустно?", "грустно", "сначала обжарь лук")).toBe(0);
    expect(likely("Где можно посмотреть?", "хочу посмотреть, но подумаю", "да без проблем, я не тороплю")).toBe(0);
    expect(likely("а зимой?", "а зимой?", "на зимней резине")).toBe(0);
  });

  it("falls with what only one of both messages says", () => {
    const asked = "Где ты обычно покупаешь струны для гитары?";
    const [same, longer] = [
      likely(asked, "А где ты обычно покупаешь струны для своей гитары?", "на Савёловской у Палыча"),
      likely(asked, "Обычно струны рвутся после концерта, приезжай завтра помочь переставить колонки", "буду в семь"),
    ];
    expect(same).toBeGreaterThan(0.3);
    expect(longer).toBeLessThan(0.3);
  });

  it("is enough for the very same question of two words, and not for one that shares them", () => {
    expect(likely("Куда подевался ключ?", "куда подевался ключ", "под крыльцом")).toBeGreaterThanOrEqual(0.3);
    expect(likely("Куда подевался ключ?", "ключ подевался в погреб, представь", "под крыльцом")).toBeLessThan(0.3);
  });

  it("rises where the reply takes up a word of the message", () => {
    const [asked, before] = ["Сколько стоит аренда коляски?", "сколько стоит аренда вашей коляски на день"];
    expect(likely(asked, before, "аренда пятьсот")).toBeGreaterThan(likely(asked, before, "пятьсот"));
  });
});
