import { useState } from "react";
import type { NotificationSettings, Notifications } from "#contract/organizations/notifications.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { notificationSettingsOf, useChoose } from "./queries.ts";

type Field = keyof NotificationSettings;

const KINDS: { title: string; about: string; push: Field; mail: Field }[] = [
  {
    title: "Ответ или действие ждёт решения",
    about: "Письмо — не чаще раза в час и только о том, что ждёт дольше десяти минут",
    push: "draftsPush",
    mail: "draftsMail",
  },
  {
    title: "Канал остановился",
    about: "Ключ отозван или сменён пароль: сам он не подключится",
    push: "troublePush",
    mail: "troubleMail",
  },
];

interface ChoiceTableProps {
  notifications: Notifications;
  /** Whether each channel works here; other channels have no checkboxes. */
  push: boolean;
  mail: boolean;
}

export function ChoiceTable({ notifications, push, mail }: ChoiceTableProps) {
  const choose = useChoose();
  // A cached answer is shown a timer later, and until then React would put a pressed checkbox back.
  const [chosen, setChosen] = useState<NotificationSettings>();
  const settings = chosen ?? notificationSettingsOf(notifications);
  if (!push && !mail) return null;
  const box = (field: Field, label: string) => (
    <td className="text-center">
      <Checkbox
        className="mx-auto min-h-11 w-fit items-center gap-0! px-3.25"
        checked={settings[field]}
        onChange={({ currentTarget: { checked } }) => {
          const next = { ...settings, [field]: checked };
          setChosen(next);
          choose.mutate(next, { onSettled: () => setChosen(undefined) });
        }}
      >
        <span className="sr-only">{label}</span>
      </Checkbox>
    </td>
  );
  const way = (title: string) => (
    <th scope="col" className="w-20 pb-2 font-normal">
      {title}
    </th>
  );
  return (
    <SettingRow id="news" title="О чём сообщать">
      <table aria-labelledby="news" className="w-full text-md">
        <thead>
          <tr className="text-start text-muted text-sm">
            <th scope="col" className="pb-2 text-start font-normal">
              О чём
            </th>
            {push && way("Браузер")}
            {mail && way("Письмо")}
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind.title} className="border-t">
              <th scope="row" className="py-3 pe-3 text-start font-normal">
                {kind.title}
                <span className="block text-sm text-subtle">{kind.about}</span>
              </th>
              {push && box(kind.push, `${kind.title}: в браузер`)}
              {mail && box(kind.mail, `${kind.title}: письмом`)}
            </tr>
          ))}
        </tbody>
      </table>
    </SettingRow>
  );
}
