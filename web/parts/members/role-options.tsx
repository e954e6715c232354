import { roleNames, roles, roleWords } from "./role-names.ts";

/** Options of a role. Each shows the specified name and its meaning. */
export function RoleOptions() {
  return roles.map((role) => (
    <option key={role} value={role} label={`${roleNames[role]} — ${roleWords[role]}`}>
      {roleNames[role]}
    </option>
  ));
}
