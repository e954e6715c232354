import type { Role } from "#contract/organizations/auth.ts";

/** As the specification writes them, in English. */
export const roleNames: Record<Role, string> = { user: "User", org_admin: "Admin", viewer: "Viewer" };
/** The same roles in Russian: they stand beside the specified names. */
export const roleWords: Record<Role, string> = { user: "участник", org_admin: "администратор", viewer: "наблюдатель" };
export const roles = Object.keys(roleNames) as Role[];

export const roleHints: Record<Role, string> = {
  user: "создаёт и меняет своих двойников",
  org_admin: "меняет всё и управляет участниками",
  viewer: "только смотрит",
};

/** How a person is called in a list; the e-mail where there is no name. */
export function nameOf(person: {
  firstName: string;
  lastName: string;
  email: string | null;
  username: string | null;
}): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email || person.username || "Без имени";
}
