import { expect, test } from "vitest";
import { TwinInput } from "#contract/twins.ts";
import { twinNamed } from "./twin-defaults.ts";

test("a name is enough to create a valid twin", () => {
  expect(TwinInput.safeParse(twinNamed("Я")).success).toBe(true);
  expect(twinNamed("  Лёша ").name).toBe("Лёша");
});

test("a blank name is not enough", () => {
  expect(TwinInput.safeParse(twinNamed("   ")).success).toBe(false);
});
