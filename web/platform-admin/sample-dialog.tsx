import { formatNumber } from "#web/i18n/format.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import type { SampleOrganization } from "./samples.ts";

export default function SampleDialog({
  organization,
  onClose,
}: {
  organization: SampleOrganization;
  onClose: () => void;
}) {
  const rows = [
    ["План", organization.planName],
    ["Пользователи", formatNumber(organization.users)],
    ["Двойники", formatNumber(organization.twins)],
    ["Сообщения", formatNumber(organization.messages)],
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title={organization.name}
        description="Это пример. Настоящую организацию администратор платформы может здесь переименовать, сменить ей план и участников."
      >
        <SampleBadge />
        <dl className="mt-4 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2 text-md">
          {rows.map(([term, value]) => (
            <div key={term} className="contents">
              <dt className="text-muted">{term}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Понятно</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
