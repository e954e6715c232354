import { useMutation, useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { authApi, platformApi } from "#contract/auth.ts";
import { call, isNetworkError, messageOf, queryOf } from "#web/api.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { useSession } from "#web/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast.ts";

/** Above every screen of somebody whose address is not confirmed: what has to wait for it, and another letter. */
export default function UnconfirmedBanner({ email }: { email: string }) {
  const { refresh } = useSession();
  const config = useQuery(queryOf(platformApi.config));
  const resend = useMutation({
    mutationFn: () => call(authApi.resendConfirmation),
    onSuccess: ({ letter }) =>
      toast(
        letter === "mail"
          ? {
              title: "Письмо отправлено",
              description: `Откройте ссылку из письма на ${email}. Оно могло попасть в «Спам».`,
            }
          : {
              title: "Новая ссылка готова",
              description: `${NO_LETTER} Ссылку передаст администратор платформы.`,
            },
      ),
    onError: (error) => {
      toast({
        title: isNetworkError(error) ? "Ошибка сети" : "Не удалось отправить письмо",
        description: messageOf(error),
        variant: "destructive",
      });
      // Perhaps the address was confirmed in another tab meanwhile.
      refresh().catch(() => undefined);
    },
  });
  return (
    <section
      aria-label="Подтверждение email"
      lang="ru"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-warning-soft px-page py-3 text-md text-warning-text"
    >
      <MailWarning aria-hidden className="icon shrink-0" />
      <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        <strong className="font-semibold">Подтвердите email.</strong>{" "}
        {config.data?.letters === "log" ? (
          <>
            Письмо на&nbsp;{email} сейчас отправить нельзя: ссылку для подтверждения передаст администратор платформы.
          </>
        ) : (
          <>Откройте ссылку из&nbsp;письма, которое пришло на&nbsp;{email}.</>
        )}{" "}
        До этого нельзя приглашать людей, подключать платформы и&nbsp;чат на&nbsp;сайте, создавать ключи и&nbsp;вебхуки.
      </p>
      <Button size="sm" busy={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? "Отправка..." : "Отправить письмо ещё раз"}
      </Button>
    </section>
  );
}
