import { UserPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Role } from "#contract/organizations/auth.ts";
import {
  type Invited,
  type Member,
  organizationsApi,
  type TwinHandover,
} from "#contract/organizations/organizations.ts";
import { useSettled } from "#web/api/pagination.ts";
import { invitationNotSent } from "#web/letter-words.ts";
import { MemberList } from "#web/parts/members/member-list.tsx";
import { roleHints, roleNames, roles, roleWords } from "#web/parts/members/role-names.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { MoreRows, ROWS_WITHOUT_SEARCH, SearchRow, useSearchWords } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useChangeRole, useInvite, useMembers, useRemoveMember, useResourcesOf } from "./queries.ts";
import { sampleMembers } from "./samples.ts";

const InviteDialog = lazy(() => import("#web/parts/members/invite-dialog.tsx"));

export function UsersTab() {
  const [words, search] = useSearchWords();
  const members = useMembers(useSettled(words));
  const { user } = useSession();
  const invite = useInvite();
  const [inviting, setInviting] = useState(false);
  const mayNot = useWhyNot(organizationsApi.invite);
  const [logged, setLogged] = useState<Invited>();
  const { data, isSample } = shownOrSample(members, sampleMembers, (list) => words === "" && isEmptyList(list));
  const acts = useActs();

  function close(invited?: Invited) {
    setInviting(false);
    invite.reset();
    setLogged(invited?.letter === "log" ? invited : undefined);
  }

  return (
    <PaperSection
      id="members"
      title="Пользователи"
      action={
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:w-full">
          {isSample && <SampleBadge />}
          <span className="text-md text-muted">Пригласить участника:</span>
          <Button
            lang="en"
            variant="primary"
            className="max-sm:w-full"
            whyNot={mayNot}
            onClick={() => setInviting(true)}
          >
            <UserPlus aria-hidden className="icon" />
            Invite User
          </Button>
        </div>
      }
    >
      {logged && (
        <p role="status" className="mb-4 rounded-lg bg-info-soft px-4 py-3 text-info-text text-md md:px-5">
          {invitationNotSent(logged.email ?? "", user?.superAdmin === true)}
        </p>
      )}
      {!isSample && (words !== "" || (data?.length ?? 0) > ROWS_WITHOUT_SEARCH) && (
        <SearchRow label="Поиск участника" placeholder="Имя или email" words={words} onChange={search} />
      )}
      {data?.length === 0 ? (
        <EmptyState
          open
          title="Никого не найдено"
          action={<Button onClick={() => search("")}>Сбросить поиск</Button>}
        />
      ) : (
        <MemberList members={data} {...(isSample ? {} : { acts })} />
      )}
      {!isSample && <MoreRows query={members} />}
      <Roles />
      <Suspense>
        {inviting && <InviteDialog send={invite.mutate} busy={invite.isPending} error={invite.error} onClose={close} />}
      </Suspense>
    </PaperSection>
  );
}

function Roles() {
  return (
    <dl aria-label="Что может роль" className="grid gap-x-10 gap-y-3 border-t pt-4 text-md sm:grid-cols-3">
      {roles.map((role) => (
        <div key={role}>
          <dt className="font-medium">
            <span lang="en">{roleNames[role]}</span> — {roleWords[role]}
          </dt>
          <dd className="text-muted text-sm">{roleHints[role]}</dd>
        </div>
      ))}
    </dl>
  );
}

function useActs() {
  const { user, refresh } = useSession();
  const role = useChangeRole();
  const remove = useRemoveMember();
  const failed = (error: unknown) => toastError("Ошибка")(error);
  /** A change of the user's own role shows at once. After the user's own removal this call leads to the login. */
  const look = (id: string) => {
    if (id === user?.id) void refresh().catch(() => undefined);
  };
  return {
    ownId: user?.id,
    changeRole: ({ id }: Member, to: Role) =>
      role.mutate(
        { id, role: to },
        {
          onSuccess: () => {
            toast({ title: "Роль изменена" });
            look(id);
          },
          onError: failed,
        },
      ),
    changing: role.isPending ? role.variables.id : undefined,
    resourcesOf: useResourcesOf(),
    remove: ({ id, status }: Member, twins: TwinHandover, onGone: () => void) =>
      remove.mutate(
        { id, twins },
        {
          onSuccess: () => {
            toast({ title: status === "active" ? "Участник исключён" : "Приглашение отозвано" });
            onGone();
            look(id);
          },
          onError: failed,
        },
      ),
    removing: remove.isPending,
  };
}
