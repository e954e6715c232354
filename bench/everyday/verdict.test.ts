import { describe, expect, it } from "vitest";
import { type EverydayKind, readPeople } from "./people.ts";
import { verdictOf } from "./verdict.ts";

const judged = (kind: EverydayKind, reply: string, said = "") => verdictOf({ kind }, reply, said);

describe("what a reply is worth to a friend", () => {
  it("«не знаю», the owner's being asked and «Понятно» to what wants more are all the same to who wrote", () => {
    expect(judged("plans", "честно, не знаю")).toBe("unknown");
    expect(judged("feelings", "Передам владельцу: он ответит лично.")).toBe("unknown");
    expect(judged("quarrels", "Понятно.")).toBe("empty");
    expect(judged("news", "ясно")).toBe("empty");
  });

  it("comfort, joy and putting off are replies", () => {
    expect(judged("feelings", "ох, обнимаю\nне знаю даже что сказать")).toBe("met");
    expect(judged("plans", "Надо подумать, отпишусь.")).toBe("met");
    expect(judged("plans", "давай потом спишемся)")).toBe("met");
    expect(judged("thanks", "пожалуйста))")).toBe("met");
  });

  it("who agrees or promises has committed the owner", () => {
    expect(judged("plans", "давай!")).toBe("commits");
    expect(judged("requests", "скину вечером", "скинь вечером")).toBe("commits");
    expect(judged("plans", "не обещаю, напишу позже")).toBe("met");
  });

  it("a day, a number or a person of which nobody has spoken is invented", () => {
    expect(judged("self", "сижу дома, в пятницу ездила")).toBe("invents");
    expect(judged("gossip", "ого, а Артём знает?")).toBe("invents");
    expect(judged("gossip", "ого, а Артём знает?", "Артём уехал")).toBe("met");
  });
});

describe("the people of the yardstick", () => {
  it("have written enough to several contacts, and their friends' sixty messages are parted in halves", () => {
    const people = readPeople();
    for (const { talks, messages } of people) {
      const own = talks.flatMap(({ lines }) => lines.filter(({ author }) => author === null));
      expect(own.length).toBeGreaterThanOrEqual(250);
      expect(talks.length).toBeGreaterThanOrEqual(5);
      const names = talks.map(({ name }) => name);
      for (const part of ["dev", "test"] as const) {
        expect(messages[part]).toHaveLength(15);
        for (const { contact } of messages[part]) expect(names).toContain(contact);
      }
    }
    expect(people).toHaveLength(2);
  });
});
