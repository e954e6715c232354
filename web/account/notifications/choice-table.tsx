import type { NotificationSettings, Notifications } from "#contract/organizations/notifications.ts";
import { pushSupport } from "#web/parts/push/this-browser.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { chosen, useChoose } from "./queries.ts";

const KINDS: { title: string; about: string; push: keyof NotificationSettings; mail: keyof NotificationSettings }[] = [
  {
    title: "Ответ ждёт одобрения",
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

/** Kinds of news in rows, ways in columns. */
export function ChoiceTable({ notifications }: { notifications: Notifications }) {
  const choose = useChoose();
  const settings = chosen(notifications);
  const noMail = notifications.mailTo === null;
  // What no browser receives is not ticked, whatever was chosen when one did.
  const noPush = notifications.devices.length === 0 && pushSupport() !== "works";
  const box = (field: keyof NotificationSettings, label: string, disabled = false) => (
    <Checkbox
      className="mx-auto min-h-11 w-fit items-center gap-0!"
      disabled={disabled}
      checked={settings[field] && !disabled}
      onChange={({ currentTarget: { checked } }) => choose.mutate({ ...settings, [field]: checked })}
    >
      <span className="sr-only">{label}</span>
    </Checkbox>
  );
  return (
    <div className="pb-4">
      <table className="w-full text-md">
        <thead>
          <tr className="text-start text-muted text-sm">
            <th scope="col" className="py-2 text-start font-normal">
              О чём
            </th>
            <th scope="col" className="w-20 py-2 font-normal">
              Браузер
            </th>
            <th scope="col" className="w-20 py-2 font-normal">
              Письмо
            </th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ title, about, push, mail }) => (
            <tr key={title} className="border-t">
              <th scope="row" className="py-3 pe-3 text-start font-normal">
                {title}
                <span className="block text-sm text-subtle">{about}</span>
              </th>
              <td className="text-center">{box(push, `${title}: в браузер`, noPush)}</td>
              <td className="text-center">{box(mail, `${title}: письмом`, noMail)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pt-1 text-sm text-subtle">
        {noMail
          ? "Письма можно выбрать, когда у аккаунта есть подтверждённый email, а у сервера — почта."
          : `Письма приходят на ${notifications.mailTo}.`}
        {noPush && " Браузер можно выбрать, когда он сможет получать уведомления: что мешает, сказано ниже."}
      </p>
    </div>
  );
}
