import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/read-only.ts";
import { useSession } from "#web/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { TwinScreen } from "#web/twins/twin-screen.tsx";
import { Button } from "#web/ui/button.tsx";
import { ReadOnlyNote } from "#web/ui/read-only.tsx";
import { CorrectionsCard } from "./corrections-card.tsx";
import { VersionsCard } from "./versions-card.tsx";

/** What the owner has taught the twin by correcting it, and what the twin was before. */
export default function CorrectionsPage() {
  const { id = "" } = useParams();
  return (
    <Page title="Исправления и версии">
      <TwinScreen id={id}>{(twin) => <Content twin={twin} />}</TwinScreen>
    </Page>
  );
}

function Content({ twin }: { twin: Twin }) {
  const { user } = useSession();
  const readOnly = useReadOnly(twin) !== null;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button asChild size="sm">
          <Link href={paths.twinSettings(twin.id)}>
            <ArrowLeft aria-hidden className="icon" />К настройкам
          </Link>
        </Button>
        <p className="min-w-0 text-md text-muted [overflow-wrap:anywhere]">{twin.name}</p>
      </div>
      {user?.id === twin.ownerId || twin.ownerId === "" ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CorrectionsCard twinId={twin.id} readOnly={readOnly} />
          <VersionsCard twinId={twin.id} readOnly={readOnly} />
        </div>
      ) : (
        <ReadOnlyNote reason="Здесь показаны письма владельца двойника, поэтому страницу видит только он." />
      )}
    </>
  );
}
