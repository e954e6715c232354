import { expect, test } from "vitest";
import { TwinInput } from "#contract/twins.ts";
import { twinNamed } from "./twin-defaults.ts";

test("a name is enough for a twin that the server takes", () => {
  expect(TwinInput.safeParse(twinNamed("Я")).success).toBe(true);
  expect(twinNamed("  Лёша ").name).toBe("Лёша");
});

test("a blank name is not", () => {
  expect(TwinInput.safeParse(twinNamed("   ")).success).toBe(false);
});
