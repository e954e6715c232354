import { Link } from "wouter";
import type { OpenChat } from "#contract/integrations/widget.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { crmRow } from "./crm-card.tsx";

const SITES: Forms = ["сайт", "сайта", "сайтов"];
const TALKS: Forms = ["диалог", "диалога", "диалогов"];

export function SiteChatsRow({ chats, hasCrm }: { chats: readonly OpenChat[]; hasCrm: boolean }) {
  const sites = new Set(chats.flatMap((chat) => chat.sites)).size;
  const talks = chats.reduce((sum, { lately }) => sum + (lately?.conversations ?? 0), 0);
  return (
    <li className={crmRow.line}>
      <PlatformTile platform="web" />
      <div className={crmRow.words}>
        <h4 className="font-semibold text-base">Чаты на сайтах</h4>
        <p className="text-muted text-sm">
          {plural(sites, SITES)} · {plural(talks, TALKS)} за&nbsp;неделю
          {!hasCrm && ". Сделками станут и\u00a0они, когда вы подключите CRM"}
        </p>
      </div>
      <div className={crmRow.acts}>
        <Button asChild size="sm" className="max-sm:flex-1">
          <Link href={paths.conversations}>Открыть диалоги</Link>
        </Button>
      </div>
    </li>
  );
}
