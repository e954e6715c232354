import { Link } from "wouter";
import type { OpenChat } from "#contract/integrations/widget.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";
import { autonomyLevel } from "#web/parts/autonomy-levels.ts";
import { siteChatConnection } from "#web/parts/connection-states.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { ActivityBadge, row } from "./integration-row.tsx";
import { HIDDEN_NUMBER, syncText } from "./shown-integration.ts";

/** A chat widget, named by its site, because several widgets often have the same greeting. */
export function SiteChatRow({ chat }: { chat: OpenChat }) {
  const { twinId, twinName, title, sites, lately, messagesHandled } = chat;
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const { user } = useSession();
  const mayChange = user && twin && mayChangeTwin(user, twin);
  const name = sites.length > 0 ? sites.map(hostOf).join(", ") : title;
  const settings = `${paths.twinAccess(twinId)}?tab=widget`;
  return (
    <li className={row.line}>
      <PlatformTile platform="web" />
      <div className={row.words}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base [overflow-wrap:anywhere]">
            {mayChange ? (
              <Link
                href={settings}
                aria-label={`Чат на сайте: ${name}, ${twinName}`}
                className="underline decoration-control underline-offset-4 hover:decoration-fg"
              >
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <div className={row.badges}>
            <ActivityBadge active={siteChatConnection(sites) === "connected"} />
          </div>
        </div>
        <p className="text-md text-muted">Чат на сайте · {twinName}</p>
        <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-subtle tabular-nums">
          <li>{HIDDEN_NUMBER}</li>
          <li>{plural(messagesHandled, ["сообщение", "сообщения", "сообщений"])}</li>
          <li>Синхронизация: {syncText(lately?.lastAt)}</li>
          <li>{sites.length > 0 ? latelyInWords(lately) : "Сайт ещё не указан"}</li>
          <li>{answersInWords(chat)}</li>
        </ul>
      </div>
      {mayChange && (
        <div className={row.acts}>
          <Button asChild size="sm">
            <Link
              href={settings}
              aria-label={sites.length > 0 ? `Настроить чат на сайте: ${name}` : `Указать сайт: ${twinName}`}
            >
              {sites.length > 0 ? "Настроить" : "Указать сайт"}
            </Link>
          </Button>
        </div>
      )}
    </li>
  );
}

const TALKS: Forms = ["диалог", "диалога", "диалогов"];

/** Returns recent use, such as «4 диалога за неделю». */
const latelyInWords = (lately: OpenChat["lately"]): string =>
  lately === null ? "За неделю никто не писал" : `${plural(lately.conversations, TALKS)} за\u00a0неделю`;

/** Describes the widget's autonomy, and the conversations whose answers wait for the owner nevertheless. */
function answersInWords({ autonomy, lately }: OpenChat): string {
  const level = autonomyLevel(autonomy).name.toLocaleLowerCase("ru-RU");
  const waiting = autonomy === "auto" ? (lately?.decidedByOwner ?? 0) : 0;
  if (waiting === 0) return `Ответы: ${level}`;
  return `Ответы: ${level}, кроме ${plural(waiting, ["диалога", "диалогов", "диалогов"])}: там решаете вы`;
}

const hostOf = (site: string) => site.replace(/^https?:\/\//, "");
