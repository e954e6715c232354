import { Unplug } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useMemo } from "react";
import { Link, useParams } from "wouter";
import type { Integration } from "#contract/integrations/integrations.ts";
import { channelName } from "#web/parts/channel-name.ts";
import { useReimportEnds } from "#web/parts/reimport/reimport-ends.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { AutonomyChoice } from "../autonomy-choice.tsx";
import { AccountHistory } from "./account-history.tsx";
import { BusinessSection } from "./business-section.tsx";
import { ConnectionCard } from "./connection-card.tsx";
import { EventLog } from "./event-log.tsx";
import { isIntegrationMissing, useIntegration } from "./integration-queries.ts";
import { OwnerChat } from "./owner-chat.tsx";
import { SetAsideCard } from "./set-aside-card.tsx";
import { WorkingHoursForm } from "./working-hours-form.tsx";

const ExamNote = lazy(() => import("#web/parts/twin-exam/exam-note.tsx"));
const RecentConversations = lazy(() => import("./recent-conversations.tsx"));

export default function IntegrationPage() {
  const { id = "" } = useParams();
  const { data, error, refetch, dataUpdatedAt } = useIntegration(id);
  useReimportEnds(
    useMemo(() => (data ? [{ ...data, name: platformName(data.platform) }] : []), [data]),
    dataUpdatedAt,
  );
  const title = data ? `${platformName(data.platform)} · ${channelName(data)}` : "";
  return (
    <Page title={title || "Интеграция"} {...(data ? { description: data.digitalTwinName } : {})}>
      {isIntegrationMissing(error) ? (
        <Missing />
      ) : data ? (
        <>
          <BackLink href={paths.integrations}>Все интеграции</BackLink>
          <Care key={data.id} integration={data} />
        </>
      ) : error ? (
        <ErrorCard title="Не удалось загрузить интеграцию" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingStatus className="min-h-80">Загружаем интеграцию...</LoadingStatus>
      )}
    </Page>
  );
}

function Missing() {
  return (
    <Card>
      <EmptyState
        icon={Unplug}
        title="Интеграция не найдена"
        action={
          <Button asChild variant="primary">
            <Link href={paths.integrations}>К интеграциям</Link>
          </Button>
        }
      />
    </Card>
  );
}

function Care({ integration }: { integration: Integration }) {
  const twin = useTwins().data?.find(({ id }) => id === integration.digitalTwinId);
  const readOnly = useReadOnly(twin);
  const { user } = useSession();
  const { platform, account } = integration;
  const bot = platform === "telegram" && account?.startsWith("@") ? account : null;
  const person = platform === "telegram" && account !== null && bot === null;
  // The owner's contacts are private, so only the owner sees their conversations.
  const isOwner = readOnly === null && twin?.ownerId === user?.id;
  return (
    <div className="flex flex-col gap-8">
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-8">
          <ConnectionCard integration={integration} readOnly={readOnly} />
          {isOwner && <SetAsideCard integrationId={integration.id} />}
          <Suspense>{isOwner && <RecentConversations integration={integration} />}</Suspense>
          {bot !== null && readOnly === null && <OwnerChat integrationId={integration.id} bot={bot} />}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <div className="flex flex-col gap-4 lg:gap-6">
            <FormCard title="Как отвечает двойник" readOnly={readOnly}>
              <AutonomyChoice integration={integration} />
              <Suspense>
                {isOwner && <ExamNote twinId={integration.digitalTwinId} autonomy={integration.autonomy} />}
              </Suspense>
            </FormCard>
            <FormCard title="Рабочие часы" readOnly={readOnly}>
              <WorkingHoursForm integration={integration} />
            </FormCard>
          </div>
          {bot !== null && <BusinessSection integrationId={integration.id} bot={bot} readOnly={readOnly} />}
          {person && isOwner && <AccountHistory integration={integration} />}
        </div>
      </div>
      <EventLog id={integration.id} />
    </div>
  );
}

interface FormCardProps {
  title: string;
  readOnly: string | null;
  children: ReactNode;
}

function FormCard({ title, readOnly, children }: FormCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      <CardBody className="flex flex-col gap-4">
        <ReadOnly reason={readOnly}>{children}</ReadOnly>
      </CardBody>
    </Card>
  );
}
