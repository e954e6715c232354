import type { SignedInUser } from "#contract/organizations/auth.ts";
import type { Member } from "#contract/organizations/organizations.ts";
import { NOW, uuid } from "./ids.ts";

/** Анна, the administrator of an organisation. */
export const buildUser = (own: Partial<SignedInUser> = {}): SignedInUser => ({
  id: uuid(900),
  email: "anna@example.com",
  firstName: "Анна",
  lastName: "Петрова",
  first_name: "Анна",
  last_name: "Петрова",
  fullName: "Анна Петрова",
  username: null,
  telegramUsername: null,
  photo_url: null,
  authMethod: "email",
  emailConfirmed: true,
  role: "org_admin",
  superAdmin: false,
  isDemo: false,
  organizationId: uuid(901),
  consentDue: false,
  ...own,
});

/** Whom a page without a server is signed in as. */
export const user = buildUser();

export const buildMember = (n: number, own: Partial<Member> = {}): Member => ({
  id: uuid(n),
  email: `user${n}@example.com`,
  firstName: "Участник",
  lastName: String(n),
  username: null,
  role: "user",
  status: "active",
  twins: 0,
  createdAt: NOW,
  ...own,
});
