import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { adminApi, type OrganizationSummary } from "#contract/organizations/platform.ts";
import { useSettled } from "#web/api/pagination.ts";
import { formatNumber, formatShortDate } from "#web/i18n/format.ts";
import { invitationNotSent } from "#web/letter-words.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge, SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { MoreRows, ROWS_WITHOUT_SEARCH, SearchRow, useSearchWords } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useAllOrganizations } from "./queries.ts";
import { type SampleOrganization, sampleOrganizations } from "./samples.ts";

const AddOrganizationDialog = lazy(() => import("./add-organization-dialog.tsx"));
const ManageDialog = lazy(() => import("./manage-dialog.tsx"));
const SampleDialog = lazy(() => import("./sample-dialog.tsx"));

type Shown = OrganizationSummary | SampleOrganization;

export function OrganizationsTab() {
  const [words, search] = useSearchWords();
  const organizations = useAllOrganizations(useSettled(words));
  const [adding, setAdding] = useState(false);
  const mayNot = useWhyNot(adminApi.addOrganization);
  const [managed, setManaged] = useState<Shown>();
  const [letterTo, setLetterTo] = useState<string>();
  const { data, isSample } = shownOrSample<Shown[]>(
    organizations,
    sampleOrganizations,
    (list) => words === "" && isEmptyList(list),
  );
  return (
    <PaperSection
      id="organizations"
      title="Организации"
      action={
        <div className="flex items-center gap-3">
          {isSample && <SampleBadge />}
          <Button lang="en" variant="primary" whyNot={mayNot} onClick={() => setAdding(true)}>
            <Plus aria-hidden className="icon" />
            Add
          </Button>
        </div>
      }
    >
      {letterTo && (
        <p role="status" className="mb-4 rounded-lg bg-info-soft px-4 py-3 text-info-text text-md md:px-5">
          {invitationNotSent(letterTo, true)}
        </p>
      )}
      {!isSample && (words !== "" || (data?.length ?? 0) > ROWS_WITHOUT_SEARCH) && (
        <SearchRow label="Поиск организации" placeholder="Название" words={words} onChange={search} />
      )}
      {!data ? (
        <div role="status" className="space-y-4 border-t py-4">
          <span className="sr-only">Загружаем организации...</span>
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      ) : data.length === 0 ? (
        <EmptyState
          open
          title="Ничего не найдено"
          action={<Button onClick={() => search("")}>Сбросить поиск</Button>}
        />
      ) : (
        <ul className="divide-y border-t">
          {data.map((organization) => (
            <OrganizationRow
              key={organization.id}
              organization={organization}
              onManage={() => setManaged(organization)}
            />
          ))}
        </ul>
      )}
      {!isSample && <MoreRows query={organizations} />}
      <Suspense>
        {adding && (
          <AddOrganizationDialog
            onClose={(logged) => {
              setAdding(false);
              setLetterTo(logged);
            }}
          />
        )}
        {managed &&
          ("state" in managed ? (
            <SampleDialog organization={managed} onClose={() => setManaged(undefined)} />
          ) : (
            <ManageDialog id={managed.id} name={managed.name} onClose={() => setManaged(undefined)} />
          ))}
      </Suspense>
    </PaperSection>
  );
}

function OrganizationRow({ organization, onManage }: { organization: Shown; onManage: () => void }) {
  const { name, users, twins, messages, planName, createdAt } = organization;
  const figures = [
    ["Пользователи", users],
    ["Двойники", twins],
    ["Сообщения", messages],
  ] as const;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium text-md">{name}</span>
          <Badge lang="en" tone="primary">
            {planName}
          </Badge>
          {"state" in organization && (
            <Badge lang="en" tone={organization.state === "Active" ? "success" : "info"}>
              {organization.state}
            </Badge>
          )}
        </p>
        <p className="text-sm text-subtle">С {formatShortDate(createdAt)}</p>
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-md">
        {figures.map(([term, value]) => (
          <div key={term} className="flex flex-col-reverse">
            <dt className="text-sm text-subtle">{term}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <Button size="sm" onClick={onManage} className="max-sm:w-full">
        <span lang="en">Manage</span>
        <span className="sr-only">{name}</span>
      </Button>
    </li>
  );
}
