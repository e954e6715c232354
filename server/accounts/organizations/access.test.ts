import { describe, expect, test } from "vitest";
import type { Role } from "#contract/organizations/auth.ts";
import { canChange, canRead } from "./access.ts";

const twin = { orgId: "acme", ownerId: "ann" };
const member = (userId: string, role: Role, organizationId = "acme") => ({ userId, role, organizationId });

describe("a twin", () => {
  test.each(["user", "org_admin", "viewer"] as const)("can be read by any %s in its organisation", (role) => {
    expect(() => canRead(member("bob", role), twin)).not.toThrow();
  });

  test("can be changed by its owner and by the organisation's administrators", () => {
    expect(() => canChange(member("ann", "user"), twin)).not.toThrow();
    expect(() => canChange(member("bob", "org_admin"), twin)).not.toThrow();
  });

  test("cannot be changed by another user, nor by a viewer who owns it", () => {
    expect(() => canChange(member("bob", "user"), twin)).toThrow(expect.objectContaining({ status: 403 }));
    expect(() => canChange(member("ann", "viewer"), twin)).toThrow(expect.objectContaining({ status: 403 }));
  });

  test("does not exist for another organisation, whatever the role", () => {
    const stranger = member("ann", "org_admin", "globex");
    expect(() => canRead(stranger, twin)).toThrow(expect.objectContaining({ status: 404 }));
    expect(() => canChange(stranger, twin)).toThrow(expect.objectContaining({ status: 404 }));
  });
});
