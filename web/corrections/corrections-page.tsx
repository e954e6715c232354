import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/read-only.ts";
import { TwinSubpage } from "#web/twins/twin-subpage.tsx";
import { CorrectionsCard } from "./corrections-card.tsx";
import { VersionsCard } from "./versions-card.tsx";

/** What the owner has taught the twin by correcting it, and what the twin was before. */
export default function CorrectionsPage() {
  return (
    <TwinSubpage title="Исправления и версии" ownerOnly>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

function Content({ twin }: { twin: Twin }) {
  const readOnly = useReadOnly(twin) !== null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CorrectionsCard twinId={twin.id} readOnly={readOnly} />
      <VersionsCard twinId={twin.id} readOnly={readOnly} />
    </div>
  );
}
