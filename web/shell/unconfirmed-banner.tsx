import { useMutation, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { MailWarning } from "lucide-react";
import { useId, useState } from "react";
import { platformApi } from "#contract/organizations/auth.ts";
import { registrationApi } from "#contract/organizations/registration.ts";
import { isNetworkError } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { useIsUnclaimed } from "#web/parts/installation/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** Banner above every screen of a user with an unconfirmed address: what is blocked until then, and a button for another email. */
export default function UnconfirmedBanner({ email }: { email: string }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { refresh } = useSession();
  const isUnclaimed = useIsUnclaimed();
  const letters = useQuery(queryOf(platformApi.config)).data?.letters;
  const resend = useMutation({
    mutationFn: () => call(registrationApi.resendConfirmation),
    onSuccess: ({ letter }) =>
      toast(
        letter === "mail"
          ? {
              title: "Письмо отправлено",
              description: `Откройте ссылку из письма на ${email}. Оно могло попасть в «Спам».`,
            }
          : {
              title: "Новая ссылка готова",
              description: `${NO_LETTER} ${isUnclaimed ? "Ссылка напечатана там, где запущен сервер." : "Ссылку передаст администратор платформы."}`,
            },
      ),
    onError: (error) => {
      toastError(isNetworkError(error) ? "Ошибка сети" : "Не удалось отправить письмо")(error);
      // The address may have been confirmed in another tab in the meantime.
      refresh().catch(() => undefined);
    },
  });
  return (
    <section
      aria-label="Подтверждение email"
      lang="ru"
      className={clsx(
        "flex items-center gap-x-4 gap-y-2 border-b bg-warning-soft px-page text-md text-warning-text md:flex-wrap md:py-3",
        open ? "flex-wrap py-3" : "max-md:gap-x-2",
      )}
    >
      <MailWarning aria-hidden className="icon shrink-0" />
      <p
        id={id}
        className={clsx("min-w-0 flex-1 [overflow-wrap:anywhere]", open ? "basis-64" : "max-md:truncate md:basis-64")}
      >
        <strong className="font-semibold">Подтвердите email.</strong>{" "}
        {letters === "log" && isUnclaimed ? (
          <>Письмо отправить нельзя: ссылка напечатана там, где запущен сервер.</>
        ) : letters === "log" ? (
          <>Письмо отправить нельзя: ссылку передаст администратор платформы.</>
        ) : (
          <>Откройте ссылку из&nbsp;письма на&nbsp;{email}.</>
        )}
        {open && (
          <>
            {" "}
            До этого нельзя приглашать людей, подключать платформы и&nbsp;чат на&nbsp;сайте, создавать ключи
            и&nbsp;вебхуки.
          </>
        )}
      </p>
      {/* One line; details are shown on request. */}
      <Button variant="ghost" size="sm" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {open ? "Свернуть" : "Подробнее"}
      </Button>
      {/* Without mail no email can be sent, but a new link can be created once the former one is too old. */}
      {(letters === "mail" || (letters === "log" && open)) && (
        <Button
          size="sm"
          className={open ? "" : "max-md:hidden"}
          busy={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {letters === "log" ? "Запросить новую ссылку" : resend.isPending ? "Отправка..." : "Отправить письмо ещё раз"}
        </Button>
      )}
    </section>
  );
}
