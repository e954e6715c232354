import { Unlink, Users } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { ContactCard, PersonChannel } from "#contract/conversations/contact-card.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { useSplitContact } from "./contact-queries.ts";
import { Section } from "./section.tsx";

const MergeDialog = lazy(() => import("./merge-dialog.tsx"));

export function PersonChannels({ card, may }: { card: ContactCard; may: boolean }) {
  const { conversationId, name, channels } = card;
  const [merging, setMerging] = useState(false);
  const [parted, setParted] = useState<PersonChannel | null>(null);
  const split = useSplitContact(conversationId);
  return (
    <Section
      title="Другие каналы"
      about={
        channels.length === 0
          ? "Если этот человек пишет и в другой канал, объедините диалоги: записи о нём станут общими."
          : "Записи, обращение и отказ от ответов ИИ общие для всех каналов этого человека."
      }
    >
      {channels.length > 0 && (
        <ul className="flex flex-col gap-1">
          {channels.map((channel) => (
            <li key={channel.conversationId} className="flex min-h-11 items-center gap-2">
              <Link
                href={paths.conversation(channel.conversationId)}
                className="min-w-0 flex-1 rounded-sm underline-offset-2 hover:underline"
              >
                <span className="block truncate text-md">{channel.name}</span>
                <span className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
                  <PlatformLabel platform={channel.platform} />
                  {formatRecent(channel.lastMessageTime)}
                </span>
              </Link>
              {may && (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Отделить диалог «${channel.name}»`}
                  onClick={() => setParted(channel)}
                >
                  <Unlink aria-hidden className="icon text-muted" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {may && (
        <Button className="self-start" onClick={() => setMerging(true)}>
          <Users aria-hidden className="icon" />
          Объединить с…
        </Button>
      )}
      {merging && (
        <Suspense>
          <MergeDialog conversationId={conversationId} name={name} onClose={() => setMerging(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        open={parted !== null}
        onOpenChange={(open) => !open && setParted(null)}
        title={`Отделить диалог «${parted?.name ?? ""}»?`}
        description="Записи о нём останутся у того собеседника, в чьём диалоге их сделали. Что закрылось при объединении, само не откроется. Объединить диалоги можно снова."
        confirmLabel="Отделить"
        busy={split.isPending}
        onConfirm={() =>
          parted &&
          split.mutate(parted.conversationId, {
            onSuccess: () => {
              setParted(null);
              toast({ title: "Диалоги разделены" });
            },
            onError: toastError("Не удалось разделить диалоги"),
          })
        }
      />
    </Section>
  );
}
