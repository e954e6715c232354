import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { DEFAULT_PLAN } from "#contract/organizations/organizations.ts";
import { PlanInput } from "#contract/organizations/platform.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useChangePlan } from "./queries.ts";

/** The form holds the features as lines of one text. */
const PlanForm = z.extend(PlanInput, { features: z.string() });
type Values = z.infer<typeof PlanForm>;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export default function EditPlanDialog({ plan, onClose }: { plan: SubscriptionPlan; onClose: () => void }) {
  const change = useChangePlan(plan.id);
  const { register, control, handleSubmit, setError, formState } = useForm<Values>({
    resolver: standardSchemaResolver(PlanForm),
    defaultValues: {
      name: plan.name,
      description: plan.description,
      price: plan.price,
      billingPeriod: plan.billingPeriod,
      isActive: plan.isActive,
      features: plan.features.join("\n"),
    },
  });
  const { errors } = formState;
  const begins = plan.id === DEFAULT_PLAN;

  const submit = handleSubmit((values) => {
    const input = PlanInput.safeParse({ ...values, features: linesOf(values.features) });
    if (!input.success) return setError("features", { message: input.error.issues[0]?.message ?? "" });
    change.mutate(input.data, {
      onSuccess: () => {
        toast({ title: "План сохранён" });
        onClose();
      },
      onError: toastError("Не удалось сохранить план"),
    });
  });

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={<span lang="en">Edit Plan</span>}
        description="Выставленные счета и действующие подписки не пересчитываются."
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Название" required error={errors.name?.message}>
            <Input autoComplete="off" {...register("name")} />
          </Field>
          <Field label="Описание" error={errors.description?.message}>
            <Input autoComplete="off" {...register("description")} />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Цена, ₽"
              required
              error={errors.price?.message}
              hint={begins ? "С этого плана начинают все: он бесплатный" : undefined}
            >
              <Input
                type="number"
                inputMode="numeric"
                min={0}
                step={1}
                disabled={begins}
                {...register("price", { valueAsNumber: true })}
              />
            </Field>
            <Field label="Период" error={errors.billingPeriod?.message}>
              <Select {...register("billingPeriod")}>
                <option value="month">месяц</option>
                <option value="year">год</option>
              </Select>
            </Field>
          </div>
          <Field label="Возможности" hint="По одной в строке" error={errors.features?.message}>
            <Textarea rows={5} {...register("features")} />
          </Field>
          <Controller
            control={control}
            name="isActive"
            render={({ field: { value, onChange, ref } }) => (
              <div className="flex items-center gap-3">
                <Switch
                  ref={ref}
                  aria-label="План можно выбрать"
                  checked={value}
                  disabled={begins}
                  onCheckedChange={onChange}
                />
                <span className="text-md">{value ? "План можно выбрать" : "План нельзя выбрать"}</span>
              </div>
            )}
          />
          <SubmitFooter label="Сохранить" busyLabel="Сохранение..." busy={change.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
