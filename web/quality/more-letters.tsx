import { Upload } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";

/** Link to adding more of the owner's messages for this twin, where there are too few to measure. */
export function MoreLetters({ twinId }: { twinId: string }) {
  const search = new URLSearchParams({ tab: "dialogues", from: "file", twin: twinId });
  return (
    <EditorButton asChild variant="primary" className="mt-4">
      <Link href={`${paths.trainAi}?${search}`}>
        <Upload aria-hidden className="icon" />
        Загрузить переписку
      </Link>
    </EditorButton>
  );
}
