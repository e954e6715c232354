import { useId } from "react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";

const systems = [
  { name: "Salesforce", about: "Корпоративная CRM. Пока только через вебхуки двойника" },
  { name: "HubSpot", about: "Маркетинг и продажи. Пока только через вебхуки двойника" },
  { name: "Pipedrive", about: "Воронки продаж. Пока только через вебхуки двойника" },
  { name: "amoCRM", about: "Сделки и мессенджеры. Вход в аккаунт — выше, «Передача в CRM»" },
  { name: "Битрикс24", about: "CRM и задачи. Вход в аккаунт — выше, «Передача в CRM»" },
  { name: "PostgreSQL", about: "База данных. Пока только через вебхуки двойника" },
] as const;

export function AvailableSystems() {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} lang="en" className="mb-3 text-lg">
        Available Integrations
      </h2>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {systems.map(({ name, about }) => (
          <li key={name} className="flex items-center gap-4 rounded-lg border bg-surface p-4 md:px-5">
            <div className="min-w-0 flex-1">
              <h3 id={`${id}-${name}`} className="truncate text-base">
                {name}
              </h3>
              <p className="text-md text-muted">{about}</p>
            </div>
            <EditorButton asChild size="sm">
              <Link href={paths.addIntegration} aria-describedby={`${id}-${name}`}>
                Подключить
              </Link>
            </EditorButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
