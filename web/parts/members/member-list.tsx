import type { UseQueryOptions } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Role } from "#contract/organizations/auth.ts";
import type { Member, MemberResources, TwinHandover } from "#contract/organizations/organizations.ts";
import { plural } from "#web/i18n/plural.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { nameOf, roleNames, roleWords } from "./role-names.ts";
import { RoleOptions } from "./role-options.tsx";

const ConfirmDialog = lazy(() =>
  import("#web/ui/overlays/confirm-dialog.tsx").then((module) => ({ default: module.ConfirmDialog })),
);
const RemovalDialog = lazy(() => import("./removal-dialog.tsx"));

interface MemberListProps {
  members: Member[] | undefined;
  /** Absent for sample members, which cannot be changed. */
  acts?: {
    ownId: string | undefined;
    changeRole: (member: Member, role: Role) => void;
    changing: string | undefined;
    /** Query of what the member owns, for the dialog before a removal. */
    resourcesOf: (member: Member) => UseQueryOptions<MemberResources>;
    remove: (member: Member, twins: TwinHandover, onGone: () => void) => void;
    removing: boolean;
  };
}

export function MemberList({ members, acts }: MemberListProps) {
  const [doomed, setDoomed] = useState<Member>();
  if (!members) return <ComingMembers />;
  return (
    <>
      <ul className="divide-y border-t">
        {members.map((member) => (
          <li key={member.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3.5">
            <Avatar name={nameOf(member)} who="owner" />
            <div className="min-w-0 flex-1 basis-32">
              <p className="truncate font-medium text-md">
                {nameOf(member)}
                {member.id === acts?.ownId && <span className="font-normal text-muted"> (вы)</span>}
              </p>
              <p className="truncate text-sm text-subtle">
                {[nameOf(member) === member.email ? null : (member.email ?? member.username), twinsOf(member)]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <Badge tone={member.status === "active" ? "success" : "info"}>
              {member.status === "active" ? "Активен" : "Приглашён"}
            </Badge>
            {acts ? (
              <div className="flex items-center gap-1 max-sm:w-full max-sm:ps-13">
                <Select
                  aria-label={`Роль: ${nameOf(member)}`}
                  className="w-64 max-sm:flex-1"
                  value={member.role}
                  disabled={acts.changing === member.id}
                  onChange={(event) => acts.changeRole(member, event.target.value as Role)}
                >
                  <RoleOptions />
                </Select>
                {/* The only member has no one to leave the organisation to. */}
                {(member.id !== acts.ownId || members.length > 1) && (
                  <Button
                    variant="ghost"
                    size="icon"
                    aria-label={
                      member.status === "active"
                        ? `Исключить: ${nameOf(member)}`
                        : `Отозвать приглашение: ${nameOf(member)}`
                    }
                    onClick={() => setDoomed(member)}
                  >
                    <Trash2 aria-hidden className="icon text-muted" />
                  </Button>
                )}
              </div>
            ) : (
              <span className="text-md text-muted max-sm:w-full max-sm:ps-13">
                <span lang="en">{roleNames[member.role]}</span> — {roleWords[member.role]}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Suspense>
        {acts && doomed?.status === "invited" && (
          <ConfirmDialog
            open
            onOpenChange={(open) => !open && setDoomed(undefined)}
            title="Отозвать приглашение?"
            description="Ссылка из письма перестанет работать."
            confirmLabel="Отозвать"
            destructive
            busy={acts.removing}
            onConfirm={() => acts.remove(doomed, "hand-over", () => setDoomed(undefined))}
          />
        )}
        {acts && doomed?.status === "active" && (
          <RemovalDialog
            member={doomed}
            ownId={acts.ownId}
            resources={acts.resourcesOf(doomed)}
            busy={acts.removing}
            onClose={() => setDoomed(undefined)}
            onRemove={(twins) => acts.remove(doomed, twins, () => setDoomed(undefined))}
          />
        )}
      </Suspense>
    </>
  );
}

const twinsOf = ({ twins }: Member) => (twins > 0 ? plural(twins, ["двойник", "двойника", "двойников"]) : null);

function ComingMembers() {
  return (
    <div role="status">
      <span className="sr-only">Загружаем участников...</span>
      <ul className="divide-y border-t" aria-hidden>
        {[0, 1, 2].map((row) => (
          <li key={row} className="flex items-center gap-3 py-3.5">
            <Skeleton className="size-10 rounded-full!" />
            <div className="flex-1 space-y-2">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-4 w-56 max-w-full" />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
