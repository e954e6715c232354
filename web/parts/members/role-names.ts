import type { Role } from "#contract/organizations/auth.ts";

export const roleNames: Record<Role, string> = { user: "User", org_admin: "Admin", viewer: "Viewer" };
export const roleWords: Record<Role, string> = { user: "участник", org_admin: "администратор", viewer: "наблюдатель" };
export const roles = Object.keys(roleNames) as Role[];

export const roleHints: Record<Role, string> = {
  user: "создаёт и меняет своих двойников",
  org_admin: "меняет всё и управляет участниками",
  viewer: "только смотрит",
};

/** Returns a person's name for a list, or the email address when there is none. */
export function nameOf(person: {
  firstName: string;
  lastName: string;
  email: string | null;
  username: string | null;
}): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email || person.username || "Без имени";
}
