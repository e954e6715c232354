import { lazy, Suspense, useState } from "react";
import type { Role } from "#contract/organizations/auth.ts";
import type { Member, TwinHandover } from "#contract/organizations/organizations.ts";
import { type OrganizationDetail, OrganizationName } from "#contract/organizations/platform.ts";
import { useSettled } from "#web/api/pagination.ts";
import { formatRoubles } from "#web/display-values.ts";
import { MemberList } from "#web/parts/members/member-list.tsx";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { MoreRows, ROWS_WITHOUT_SEARCH, SearchRow } from "#web/ui/layout/paged-list.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import {
  resourcesOfMember,
  useAllPlans,
  useChangeMemberRole,
  useChangeOrganization,
  useInviteInto,
  useMembersOf,
  useOrganization,
  useRemoveAnyMember,
} from "./queries.ts";

const InviteDialog = lazy(() => import("#web/parts/members/invite-dialog.tsx"));

interface ManageDialogProps {
  id: string;
  name: string;
  onClose: () => void;
}

export default function ManageDialog({ id, name, onClose }: ManageDialogProps) {
  const organization = useOrganization(id);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent size="lg" title={organization.data?.name ?? name} description="Название, план и участники">
        {organization.data ? (
          <div className="flex flex-col gap-6">
            <Settings key={organization.data.name} organization={organization.data} />
            <Members id={id} />
          </div>
        ) : organization.isError ? (
          <ErrorCard
            title="Не удалось загрузить организацию"
            error={organization.error}
            onRetry={() => void organization.refetch()}
          />
        ) : (
          <div role="status" className="space-y-4">
            <span className="sr-only">Загрузка...</span>
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-28" />
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

const failed = (error: unknown) => toastError("Ошибка")(error);

function Settings({ organization }: { organization: OrganizationDetail }) {
  const plans = useAllPlans();
  const change = useChangeOrganization(organization.id);
  const [name, setName] = useState(organization.name);
  const [tried, setTried] = useState(false);
  const checked = OrganizationName.safeParse(name);
  const { plan, pending } = organization.subscription;

  function rename() {
    setTried(true);
    if (!checked.success || checked.data === organization.name) return;
    change.mutate({ name: checked.data }, { onSuccess: () => toast({ title: "Название изменено" }), onError: failed });
  }

  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <form
        noValidate
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field
          label="Название"
          className="flex-1"
          error={tried && !checked.success ? checked.error.issues[0]?.message : undefined}
        >
          <Input value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Button type="submit" className="mt-7" disabled={change.isPending || name.trim() === organization.name}>
          Сохранить
        </Button>
      </form>
      <Field
        label="План"
        hint={
          pending
            ? `Ждёт оплаты: ${pending.planName}, ${formatRoubles(pending.amount)}. Новый план отменит этот счёт.`
            : "Действует сразу, без счёта"
        }
      >
        <Select
          lang="en"
          value={plan.id}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate(
              { planId: event.target.value },
              { onSuccess: () => toast({ title: "План изменён" }), onError: failed },
            )
          }
        >
          {(plans.data ?? [plan]).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

function Members({ id }: { id: string }) {
  const { user } = useSession();
  const [words, setWords] = useState("");
  const members = useMembersOf(id, useSettled(words));
  const [inviting, setInviting] = useState(false);
  const invite = useInviteInto(id);
  const role = useChangeMemberRole(id);
  const remove = useRemoveAnyMember(id);
  const acts = {
    ownId: user?.id,
    changeRole: (member: Member, to: Role) =>
      role.mutate(
        { userId: member.id, role: to },
        { onSuccess: () => toast({ title: "Роль изменена" }), onError: failed },
      ),
    changing: role.isPending ? role.variables.userId : undefined,
    resourcesOf: (member: Member) => resourcesOfMember(id, member.id),
    remove: (member: Member, twins: TwinHandover, onGone: () => void) =>
      remove.mutate(
        { userId: member.id, twins },
        {
          onSuccess: () => {
            toast({ title: member.status === "active" ? "Участник исключён" : "Приглашение отозвано" });
            onGone();
          },
          onError: failed,
        },
      ),
    removing: remove.isPending,
  };
  return (
    <section aria-labelledby="managed-members">
      <div className="flex items-center justify-between gap-4">
        <h3 id="managed-members" className="font-semibold text-base">
          Участники
        </h3>
        <Button lang="en" size="sm" onClick={() => setInviting(true)}>
          Invite User
        </Button>
      </div>
      <div className="mt-3">
        {(words !== "" || (members.data?.length ?? 0) > ROWS_WITHOUT_SEARCH) && (
          <SearchRow label="Поиск участника" placeholder="Имя или email" words={words} onChange={setWords} />
        )}
        {members.isError ? (
          <ErrorCard
            title="Не удалось загрузить участников"
            error={members.error}
            onRetry={() => void members.refetch()}
          />
        ) : members.data?.length === 0 ? (
          <p className="border-t pt-4 text-md text-muted">
            {words === "" ? "Участников пока нет. Пригласите администратора." : "Никого не найдено"}
          </p>
        ) : (
          <MemberList members={members.data} acts={acts} />
        )}
        <MoreRows query={members} />
      </div>
      <Suspense>
        {inviting && (
          <InviteDialog
            send={invite.mutate}
            busy={invite.isPending}
            error={invite.error}
            onClose={() => {
              setInviting(false);
              invite.reset();
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
