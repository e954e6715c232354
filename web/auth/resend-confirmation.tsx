import { useMutation } from "@tanstack/react-query";
import { registrationApi } from "#contract/organizations/registration.ts";
import { call } from "#web/api/call.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { useIsUnclaimed } from "#web/parts/installation/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { toastFailure } from "./sign-in.ts";

interface ResendConfirmationProps {
  email: string;
  linkFailed: boolean;
}

/** Offers another email to a signed-in user whose address is not confirmed. */
export function ResendConfirmation({ email, linkFailed }: ResendConfirmationProps) {
  const { refresh } = useSession();
  const isUnclaimed = useIsUnclaimed();
  const resend = useMutation({
    mutationFn: () => call(registrationApi.resendConfirmation),
    onError: (error) => {
      toastFailure("Не удалось отправить письмо", error);
      // The address may have been confirmed in another tab in the meantime.
      refresh().catch(() => undefined);
    },
  });
  const address = <strong className="break-all font-semibold">{email}</strong>;
  return (
    <div className="flex flex-col items-start gap-4">
      {resend.data?.letter === "mail" ? (
        <p role="status">
          Новое письмо отправлено на {address}. Ссылка в&nbsp;нём действует 24&nbsp;часа, прежние больше
          не&nbsp;работают. Если письма нет, проверьте папку «Спам».
        </p>
      ) : resend.data && isUnclaimed ? (
        <p role="status">{NO_LETTER} Новая ссылка напечатана там, где запущен сервер. Она действует 24&nbsp;часа.</p>
      ) : resend.data ? (
        <p role="status">
          {NO_LETTER} Новую ссылку для подтверждения передаст администратор платформы: обратитесь к&nbsp;нему. Она
          действует 24&nbsp;часа.
        </p>
      ) : (
        <p role={linkFailed ? "alert" : undefined}>
          {linkFailed && "Ссылка недействительна или устарела. "}
          Адрес {address} ещё не&nbsp;подтверждён.{" "}
          {!linkFailed && "Откройте ссылку из письма, которое было создано при регистрации, или запросите новое."}
        </p>
      )}
      <Button variant="primary" busy={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? "Отправка..." : "Отправить письмо ещё раз"}
      </Button>
    </div>
  );
}
