import { expect, test } from "vitest";
import { channelName } from "./channel-name.ts";

const createdAt = "2025-11-27T02:10:00.000Z";

test("an account is called by its number, else by its name", () => {
  expect(channelName({ platform: "telegram", phoneNumber: "+7900", account: "Анна", createdAt })).toBe("+7900");
  expect(channelName({ platform: "telegram", isBot: true, account: "@shop_bot", createdAt })).toBe("@shop_bot");
});

test("until the platform has told its name it is called by the moment it was connected", () => {
  expect(channelName({ platform: "telegram", isBot: true, account: null, createdAt })).toMatch(
    /^Бот\sот\s27\sноября\sв\s\d\d:10$/,
  );
  expect(channelName({ platform: "discord", createdAt })).toMatch(/^Discord\sот\s27\sноября/);
});

test("without any of them it is called by its kind", () => {
  expect(channelName({ platform: "discord" })).toBe("Discord");
  expect(channelName({ platform: "telegram", isBot: true })).toBe("Бот");
});
