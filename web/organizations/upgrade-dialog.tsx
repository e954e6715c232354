import { clsx } from "clsx";
import { useState } from "react";
import type { Subscription } from "#contract/organizations/organizations.ts";
import { withoutLimits } from "#contract/plans/default-plans.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { NO_LIMITS } from "#web/display-values.ts";
import { priceOf } from "#web/parts/plans/price.ts";
import { samplePlans } from "#web/parts/plans/sample-plans.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { Badge, SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useChoosePlan, usePlans } from "./queries.ts";

interface UpgradeDialogProps {
  /** undefined when the subscription on the screen is a sample. */
  current: Subscription | undefined;
  onClose: () => void;
}

export default function UpgradeDialog({ current, onClose }: UpgradeDialogProps) {
  const { data: plans, isSample } = shownOrSample(usePlans(), samplePlans, (list) => list.length === 0);
  const choose = useChoosePlan();
  const [chosen, setChosen] = useState(current?.pending?.planId ?? current?.plan.id ?? "");
  const plan = plans?.find(({ id }) => id === chosen);
  const nothingNew = !plan || (chosen === current?.plan.id ? !current.pending : chosen === current?.pending?.planId);

  function submit() {
    choose.mutate(chosen, {
      onSuccess: ({ pending }) => {
        toast(
          pending
            ? { title: "Счёт выставлен", description: "План начнёт действовать после отметки об оплате" }
            : { title: "Подписка обновлена", description: "План уже действует" },
        );
        onClose();
      },
      onError: toastError("Ошибка"),
    });
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Сменить план"
        description={`${NO_LIMITS} Бесплатный план действует сразу. Для платного выставим счёт: онлайн-оплаты здесь нет, и план начнёт действовать, когда администратор платформы отметит счёт оплаченным.`}
      >
        {plans ? (
          <fieldset className="flex flex-col gap-3">
            <legend className="sr-only">План</legend>
            {plans.map((each) => (
              <PlanOption
                key={each.id}
                plan={each}
                checked={each.id === chosen}
                note={
                  isSample ? (
                    <SampleBadge />
                  ) : each.id === current?.plan.id ? (
                    <Badge tone="success">Действует</Badge>
                  ) : each.id === current?.pending?.planId ? (
                    <Badge tone="info">Ждёт оплаты</Badge>
                  ) : null
                }
                onChoose={() => setChosen(each.id)}
              />
            ))}
          </fieldset>
        ) : (
          <div role="status" className="space-y-3">
            <span className="sr-only">Загрузка...</span>
            <Skeleton className="h-24" />
            <Skeleton className="h-24" />
            <Skeleton className="h-24" />
          </div>
        )}
        <DialogFooter>
          <DialogClose asChild>
            <Button>Отмена</Button>
          </DialogClose>
          <Button variant="primary" disabled={nothingNew} busy={choose.isPending} onClick={submit}>
            {choose.isPending ? "Сохранение..." : plan && plan.price > 0 ? "Выставить счёт" : "Выбрать план"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

interface PlanOptionProps {
  plan: SubscriptionPlan;
  checked: boolean;
  note: React.ReactNode;
  onChoose: () => void;
}

function PlanOption({ plan, checked, note, onChoose }: PlanOptionProps) {
  return (
    <label
      className={clsx(
        "flex cursor-pointer gap-3 rounded-lg border p-4 hover:bg-hover",
        checked && "border-primary bg-primary-soft",
      )}
    >
      <input
        type="radio"
        name="plan"
        checked={checked}
        onChange={onChoose}
        className="mt-1 size-4.5 shrink-0 accent-primary"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span lang="en" className="min-w-0 font-semibold text-base [overflow-wrap:anywhere]">
              {plan.name}
            </span>
            {note}
          </span>
          <span className="font-medium text-md tabular-nums">{priceOf(plan)}</span>
        </span>
        <span className="mt-1 block text-md text-muted">
          {[plan.description, ...withoutLimits(plan.features)].join(" · ")}
        </span>
      </span>
    </label>
  );
}
