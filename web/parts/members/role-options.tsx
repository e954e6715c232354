import { roleNames, roles, roleWords } from "./role-names.ts";

/** The options of a role. Their text is the specified one; shown is what it means as well. */
export function RoleOptions() {
  return roles.map((role) => (
    <option key={role} value={role} label={`${roleNames[role]} — ${roleWords[role]}`}>
      {roleNames[role]}
    </option>
  ));
}
