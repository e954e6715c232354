import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { CorrectionsCard } from "./corrections-card.tsx";
import { VersionsCard } from "./versions-card.tsx";

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
    <div className="grid grid-cols-1 gap-4">
      <CorrectionsCard twinId={twin.id} readOnly={readOnly} />
      <VersionsCard twinId={twin.id} readOnly={readOnly} />
    </div>
  );
}
