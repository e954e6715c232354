import { Plus } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";

/** In the header at desktop width, above the wizard on a phone. It is not filled, because the wizard has the filled button. */
export const AddIntegrationLink = ({ className }: { className: string }) => (
  <EditorButton asChild className={className}>
    <Link href={paths.addIntegration}>
      <Plus aria-hidden className="icon" />
      Добавить интеграцию
    </Link>
  </EditorButton>
);
