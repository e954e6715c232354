import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { TwinScreen } from "#web/parts/twins/twin-screen.tsx";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";

interface TwinSubpageProps {
  title: string;
  /** It shows the owner's letters: anybody else gets the reason instead. */
  ownerOnly?: boolean;
  children: (twin: Twin) => ReactNode;
}

/** A screen behind the settings of the twin in its address: the way back, the name, the content. */
export function TwinSubpage({ title, ownerOnly = false, children }: TwinSubpageProps) {
  const { id = "" } = useParams();
  const { user } = useSession();
  return (
    <Page title={title}>
      <TwinScreen id={id}>
        {(twin) => (
          <>
            <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button asChild size="sm">
                <Link href={paths.twinSettings(twin.id)}>
                  <ArrowLeft aria-hidden className="icon" />К настройкам
                </Link>
              </Button>
              <p className="min-w-0 text-md text-muted [overflow-wrap:anywhere]">{twin.name}</p>
            </div>
            {ownerOnly && user?.id !== twin.ownerId && twin.ownerId !== "" ? (
              <ReadOnlyNote reason="Здесь показаны письма владельца двойника, поэтому страницу видит только он." />
            ) : (
              children(twin)
            )}
          </>
        )}
      </TwinScreen>
    </Page>
  );
}
