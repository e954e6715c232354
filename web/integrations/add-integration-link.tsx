import { Plus } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";

/** In the head at a desk, over the wizard on a phone; the filled button is the wizard's. */
export const AddIntegrationLink = ({ className }: { className: string }) => (
  <EditorButton asChild className={className}>
    <Link href={paths.addIntegration}>
      <Plus aria-hidden className="icon" />
      Добавить интеграцию
    </Link>
  </EditorButton>
);
