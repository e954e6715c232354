import { expect, test } from "vitest";
import { TwinInput } from "#contract/twins.ts";
import { defaultTwinInput } from "./twin-defaults.ts";

test("a name is enough to create a valid twin", () => {
  expect(TwinInput.safeParse(defaultTwinInput("Я")).success).toBe(true);
  expect(defaultTwinInput("  Лёша ").name).toBe("Лёша");
});

test("a blank name is not enough", () => {
  expect(TwinInput.safeParse(defaultTwinInput("   ")).success).toBe(false);
});
