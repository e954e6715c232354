import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { Link } from "wouter";
import { widgetApi } from "#contract/integrations/widget.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useIntegrations } from "./queries.ts";

/** The page's main act: in the head at a desk, over the list on a phone. Where nothing is connected the empty state has the filled button. */
export function AddIntegrationLink({ className }: { className: string }) {
  const integrations = useIntegrations().data;
  const chats = useQuery(queryOf(widgetApi.list)).data;
  const nothing = Array.isArray(integrations) && integrations.length + (chats?.length ?? 0) === 0;
  return (
    <EditorButton asChild variant={nothing ? "outline" : "primary"} className={className}>
      <Link href={paths.addIntegration}>
        <Plus aria-hidden className="icon" />
        Добавить интеграцию
      </Link>
    </EditorButton>
  );
}
