import { lazy, Suspense } from "react";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { AddressTabs } from "#web/ui/layout/address-tabs.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LocalModelsSection } from "./local/local-models-section.tsx";

const BecomeAdministrator = lazy(() => import("#web/parts/installation/become-administrator.tsx"));
const MediaGroups = lazy(() => import("./media/media-groups.tsx"));
const RemoteModelGroup = lazy(() => import("./remote/remote-model-group.tsx"));

/**
 * Choice of the model that writes replies, and of the readers of recordings and pictures. Members who install models have a long
 * list of them, so connected services have their own tab.
 */
export default function ModelPage() {
  const { user } = useSession();
  return (
    <Page title="Модель" description="Чем двойники пишут ответы">
      <BackLink href={paths.settings}>Ваши настройки</BackLink>
      {user?.superAdmin ? (
        <AddressTabs
          label="Где работает модель"
          tabs={[
            { id: "here", label: "На этом сервере", content: () => <LocalModelsSection /> },
            { id: "remote", label: "Удалённая модель", content: () => <RemoteModel /> },
            { id: "media", label: "Голос и картинки", content: () => <Media /> },
          ]}
        />
      ) : (
        <>
          <Suspense>
            <BecomeAdministrator className="mb-6" />
          </Suspense>
          <AddressTabs
            label="Что делает модель"
            tabs={[
              { id: "answers", label: "Ответы", content: () => <Answers /> },
              { id: "media", label: "Голос и картинки", content: () => <Media /> },
            ]}
          />
        </>
      )}
    </Page>
  );
}

function Answers() {
  return (
    <div>
      <LocalModelsSection />
      <RemoteModel />
    </div>
  );
}

function RemoteModel() {
  return (
    <Suspense fallback={<Skeleton className="h-80" />}>
      <RemoteModelGroup />
    </Suspense>
  );
}

function Media() {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <MediaGroups />
    </Suspense>
  );
}
