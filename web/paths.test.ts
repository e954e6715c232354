import { expect, test } from "vitest";
import { loginWithReturn, registerWithReturn, returnAddress } from "./paths.ts";

test("the login leads back to the requested page", () => {
  const search = new URL(loginWithReturn("/twins?status=active"), "http://x").search;
  expect(returnAddress(search)).toBe("/twins?status=active");
  expect(loginWithReturn("/")).toBe("/login");
  expect(returnAddress(new URL(registerWithReturn("/create-twin"), "http://x").search)).toBe("/create-twin");
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", ""])(
  "the login never leads to %o",
  (address) => {
    expect(returnAddress(`?return=${encodeURIComponent(address)}`)).toBeUndefined();
  },
);
