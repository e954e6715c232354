import { expect, test } from "vitest";
import { LenientSignedInUser } from "./signed-in-user.ts";

test("a user is read with either spelling of the name fields", () => {
  const short = { id: 5, first_name: "Анна", last_name: "Петрова", username: "anna", authMethod: "telegram" };
  expect(LenientSignedInUser.parse(short)).toMatchObject({
    id: "5",
    firstName: "Анна",
    lastName: "Петрова",
    fullName: "Анна Петрова",
    telegramUsername: "anna",
    authMethod: "telegram",
  });
  expect(LenientSignedInUser.parse({ id: "5", firstName: "Анна", telegramUsername: "anna" })).toMatchObject({
    first_name: "Анна",
    fullName: "Анна",
    username: "anna",
  });
});

test("a user without an id is not a user", () => {
  expect(LenientSignedInUser.safeParse({ first_name: "Анна" }).success).toBe(false);
});
