import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { TwinScreen } from "#web/parts/twins/twin-screen.tsx";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { ExpertNav } from "./expert-nav.tsx";

interface TwinSubpageProps {
  title: string;
  /** Whether the screen shows the owner's messages, so that other members see a reason instead. */
  ownerOnly?: boolean;
  expert?: boolean;
  children: (twin: Twin) => ReactNode;
}

export function TwinSubpage({ title, ownerOnly = false, expert = false, children }: TwinSubpageProps) {
  const { id = "" } = useParams();
  const { user } = useSession();
  return (
    <Page title={title}>
      <TwinScreen id={id}>
        {(twin) => (
          <>
            <Link
              href={paths.twinSettings(twin.id)}
              className="group mb-6 inline-flex min-h-control max-w-full items-center gap-3 rounded-md"
            >
              <ArrowLeft aria-hidden className="icon text-muted" />
              <Avatar name={twin.name} echo />
              <span className="min-w-0">
                <span className="block truncate font-medium text-md group-hover:underline">{twin.name}</span>
                <span className="block text-muted text-sm leading-4">Все настройки двойника</span>
              </span>
            </Link>
            {expert && <ExpertNav twin={twin} />}
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
