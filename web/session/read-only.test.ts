import { describe, expect, test } from "vitest";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { organizationsApi } from "#contract/organizations/organizations.ts";
import { adminApi } from "#contract/organizations/platform.ts";
import { mayChangeTwin, whyMayNot, whyReadOnly } from "./read-only.ts";

const member = (role: "user" | "org_admin" | "viewer") => ({
  id: "ann",
  role,
  superAdmin: false,
});
const own = { ownerId: "ann" };
const foreign = { ownerId: "bob" };

describe("a member", () => {
  test("with the role viewer may change nothing and reads whom to ask", () => {
    for (const twin of [own, foreign, undefined]) {
      expect(whyReadOnly(member("viewer"), twin)).toMatch(/^Только просмотр: ваша роль.*администратор организации/);
    }
    expect(mayChangeTwin(member("viewer"), own)).toBe(false);
  });

  test("with the role user may change their own twins and reads who may change the others", () => {
    expect(whyReadOnly(member("user"))).toBeNull();
    expect(whyReadOnly(member("user"), own)).toBeNull();
    expect(whyReadOnly(member("user"), foreign)).toMatch(/^Только просмотр: этого двойника меняют его владелец/);
  });

  test("with the role org_admin may change every twin", () => {
    for (const twin of [own, foreign]) {
      expect(whyReadOnly(member("org_admin"), twin)).toBeNull();
      expect(mayChangeTwin(member("org_admin"), twin)).toBe(true);
    }
  });
});

test("an action is offered according to the access rule of its endpoint", () => {
  const chief = { ...member("viewer"), superAdmin: true };
  for (const role of ["viewer", "user", "org_admin"] as const) {
    expect(whyMayNot(member(role), knowledgeBaseApi.sources)).toBeNull();
    expect(whyMayNot(member(role), knowledgeBaseApi.reimport) === null).toBe(role !== "viewer");
    expect(whyMayNot(member(role), organizationsApi.invite) === null).toBe(role === "org_admin");
    expect(whyMayNot(member(role), adminApi.addOrganization)).toMatch(/администратор платформы/);
  }
  expect(whyMayNot(chief, adminApi.addOrganization)).toBeNull();
  expect(whyMayNot(member("user"), integrationsApi.update, foreign)).toMatch(/владелец/);
  expect(whyMayNot(member("user"), integrationsApi.update, own)).toBeNull();
});
