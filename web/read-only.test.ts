import { describe, expect, test } from "vitest";
import { mayChangeTwin, whyReadOnly } from "./read-only.ts";

const member = (role: "user" | "org_admin" | "viewer") => ({ id: "ann", role });
const own = { ownerId: "ann" };
const foreign = { ownerId: "bob" };

describe("a member", () => {
  test("with the role viewer changes nothing, and is told whom to ask", () => {
    for (const twin of [own, foreign, undefined]) {
      expect(whyReadOnly(member("viewer"), twin)).toMatch(/^Только просмотр: ваша роль.*администратор организации/);
    }
    expect(mayChangeTwin(member("viewer"), own)).toBe(false);
  });

  test("with the role user changes twins of one's own and is told whose the others are", () => {
    expect(whyReadOnly(member("user"))).toBeNull();
    expect(whyReadOnly(member("user"), own)).toBeNull();
    expect(whyReadOnly(member("user"), foreign)).toMatch(/^Только просмотр: этого двойника меняют его владелец/);
  });

  test("with the role org_admin changes every twin", () => {
    for (const twin of [own, foreign]) {
      expect(whyReadOnly(member("org_admin"), twin)).toBeNull();
      expect(mayChangeTwin(member("org_admin"), twin)).toBe(true);
    }
  });
});
