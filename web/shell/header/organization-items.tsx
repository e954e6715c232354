import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { authApi } from "#contract/organizations/auth.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { useSession } from "#web/session/session.tsx";
import {
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from "#web/ui/overlays/dropdown-menu.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** Menu items to switch between the user's organisations; renders nothing for a member of only one. */
export function OrganizationItems() {
  const { refresh } = useSession();
  const client = useQueryClient();
  const organizations = useQuery(queryOf(authApi.organizations)).data ?? [];
  const change = useMutation({
    mutationFn: (organizationId: string) => call(authApi.organization, { input: { organizationId } }),
    onSuccess: async (_answer, id) => {
      await refresh().catch(() => undefined);
      // Cached data of the previous organisation must not be shown in the new one.
      client.removeQueries({ predicate: ({ meta }) => !meta?.tags?.includes("memberships") });
      await client.resetQueries();
      toast({ title: `Организация: ${organizations.find((each) => each.id === id)?.name ?? ""}` });
    },
    onError: toastError("Не удалось сменить организацию"),
  });
  if (organizations.length < 2) return null;
  return (
    <>
      <DropdownMenuLabel id="organizations-label">Организации</DropdownMenuLabel>
      <DropdownMenuRadioGroup
        aria-labelledby="organizations-label"
        value={organizations.find(({ current }) => current)?.id ?? ""}
        onValueChange={change.mutate}
      >
        {organizations.map(({ id, name }) => (
          <DropdownMenuRadioItem key={id} value={id}>
            <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuSeparator />
    </>
  );
}
