import { useState } from "react";
import { ExportDrop } from "#web/parts/imports/export-drop.tsx";
import { type TwinChoice, TwinField } from "#web/parts/twins/twin-field.tsx";

export function ExportUpload({ twins, twinId, onTwin, readOnly }: TwinChoice) {
  const [noTwin, setNoTwin] = useState(false);
  return (
    <ExportDrop twinId={twinId} onTwinMissing={() => setNoTwin(true)} disabled={readOnly !== null}>
      <TwinField
        twins={twins}
        value={twinId}
        error={noTwin && twinId === "" ? "Выберите цифрового двойника" : undefined}
        onChange={(event) => onTwin(event.target.value)}
      />
    </ExportDrop>
  );
}
