import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { ContactInput, contactApi } from "#contract/organizations/contact.ts";
import { isNetworkError } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export default function ContactDialog({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm<ContactInput>({
    resolver: standardSchemaResolver(ContactInput),
    defaultValues: { name: "", email: "", message: "" },
  });
  const { errors } = formState;
  const letter = useMutation({
    mutationFn: (input: ContactInput) => call(contactApi.send, { input }),
    onSuccess: (answer) => {
      toast(
        answer.letter === "mail"
          ? { title: "Письмо отправлено", description: "Ответим на указанный email" }
          : {
              title: "Сообщение принято",
              description: `${NO_LETTER} Сообщение сохранено, его прочитают позже.`,
            },
      );
      onClose();
    },
    onError: (error) => toastError(isNetworkError(error) ? "Ошибка сети" : "Не удалось отправить письмо")(error),
  });

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Связаться с нами" description="Расскажите о задаче: подберём тариф и ответим письмом">
        <form noValidate onSubmit={handleSubmit((values) => letter.mutate(values))} className="flex flex-col gap-4">
          <Field label="Имя" required error={errors.name?.message}>
            <Input autoComplete="name" {...register("name")} />
          </Field>
          <Field label="Email" required error={errors.email?.message}>
            <Input type="email" autoComplete="email" inputMode="email" {...register("email")} />
          </Field>
          <Field label="Сообщение" required error={errors.message?.message}>
            <Textarea placeholder="Сколько агентов нужно и где они будут отвечать" {...register("message")} />
          </Field>
          <SubmitFooter label="Отправить" busyLabel="Отправка..." busy={letter.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
