import { clsx } from "clsx";
import { Archive, FileText, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link } from "wouter";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import { formatDuration } from "#web/i18n/duration.ts";
import { formatMoment, formatNumber, formatShare } from "#web/i18n/format.ts";
import { useChat } from "#web/parts/chat/chat.ts";
import { QUOTATION_LABEL } from "#web/parts/confidence-label.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { useRemoveConversation, useUpdateConversation } from "../queries.ts";
import type { ShownConversation } from "../shown-conversation.ts";

const ContactDetails = lazy(() => import("./contact-details.tsx"));
const SourceDialog = lazy(() => import("#web/parts/chat/source-dialog.tsx"));

interface ConversationDetailsProps {
  conversation: ShownConversation;
  isSample: boolean;
  onRemoved: () => void;
}

/** Participants and channel of a conversation, the citations of the last answer, and the actions on the conversation. */
export function ConversationDetails({ conversation, isSample, onRemoved }: ConversationDetailsProps) {
  const { twinId, twinName, platform, messageCount, startedAt, lastMessageTime } = conversation;
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const readOnly = useReadOnly(conversation.lead ? twin : undefined);
  const ofContact = conversation.lead !== undefined && !isSample;
  return (
    <>
      {ofContact && (
        <Suspense fallback={<LoadingStatus className="min-h-32">Загружаем карточку...</LoadingStatus>}>
          <ContactDetails conversation={conversation} may={!readOnly} onForgotten={onRemoved} />
        </Suspense>
      )}
      <div className={clsx("flex flex-col gap-5 p-4", ofContact && "border-t")}>
        <div className="flex items-center gap-3">
          <Avatar name={twinName} echo />
          <div className="min-w-0">
            <p className="text-muted text-sm">Двойник</p>
            {twinId ? (
              <Link
                href={paths.twinSettings(twinId)}
                className="block rounded-sm font-medium text-base underline-offset-2 [overflow-wrap:anywhere] hover:underline"
              >
                {twinName}
              </Link>
            ) : (
              <p className="font-medium text-base [overflow-wrap:anywhere]">{twinName}</p>
            )}
          </div>
        </div>
        <dl className="flex flex-col gap-1.5">
          <Fact name="Платформа">
            <PlatformLabel platform={platform} />
          </Fact>
          <Fact name="Сообщений">{formatNumber(messageCount)}</Fact>
          {startedAt && <Fact name="Начат">{formatMoment(startedAt)}</Fact>}
          {lastMessageTime && <Fact name="Последнее сообщение">{formatMoment(lastMessageTime)}</Fact>}
        </dl>
        {!isSample && twinId && <LastAnswer id={conversation.id} twinId={twinId} />}
        {!isSample && !readOnly && <Acts conversation={conversation} onRemoved={onRemoved} />}
      </div>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="text-md">{children}</dd>
    </div>
  );
}

function LastAnswer({ id, twinId }: { id: string; twinId: string }) {
  const { state } = useChat({ twinId, conversationId: id });
  const [source, setSource] = useState<ReplySource | null>(null);
  const turn = state.turns.findLast(({ reply }) => reply !== undefined);
  if (!turn?.reply) return null;
  const { basis, confidence, reason, scripted, sources = [] } = turn.reply;
  return (
    <section aria-label="Последний ответ" className="flex flex-col gap-3 border-t pt-5">
      <h3 className="text-base">Последний ответ</h3>
      {basis === "quoted" ? (
        <Badge tone="info" className="self-start">
          {QUOTATION_LABEL}
        </Badge>
      ) : (
        confidence !== undefined &&
        !scripted && (
          <div>
            <p className="mb-1.5 flex justify-between text-md">
              <span className="text-muted">Уверенность</span>
              <span className="tabular-nums">{formatShare(confidence)}</span>
            </p>
            <Progress value={confidence * 100} label="Уверенность" />
          </div>
        )
      )}
      {reason && <p className="text-md [overflow-wrap:anywhere]">{reason}</p>}
      {turn.durationMs !== undefined && (
        <p className="text-muted text-sm">Ответ занял {formatDuration(turn.durationMs / 1000)}</p>
      )}
      {sources.length > 0 && (
        <div>
          <p className="text-muted text-sm">Источники</p>
          <ul className="flex flex-col">
            {sources.map((one, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer's sources never change
              <li key={place}>
                <button
                  type="button"
                  onClick={() => setSource(one)}
                  className="flex min-h-8 w-full items-center gap-2 rounded-md text-start text-md transition-colors hover:bg-hover pointer-coarse:min-h-control"
                >
                  <FileText aria-hidden className="icon text-muted" />
                  <span className="min-w-0 [overflow-wrap:anywhere]">{one.name}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {source && (
        <Suspense>
          <SourceDialog source={source} onClose={() => setSource(null)} />
        </Suspense>
      )}
    </section>
  );
}

function Acts({
  conversation: { id, isActive },
  onRemoved,
}: Pick<ConversationDetailsProps, "conversation" | "onRemoved">) {
  const update = useUpdateConversation(id);
  const remove = useRemoveConversation(id);
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-2 border-t pt-5">
      {isActive && (
        <Button
          busy={update.isPending}
          onClick={() =>
            update.mutate(
              { status: "closed" },
              {
                onSuccess: () => toast({ title: "Диалог закрыт" }),
                onError: toastError("Не удалось закрыть диалог"),
              },
            )
          }
        >
          {!update.isPending && <Archive aria-hidden className="icon" />}
          Закрыть диалог
        </Button>
      )}
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="icon" />
        Удалить диалог
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Удалить диалог?"
        description="Сообщения и оценки ответов исчезнут вместе с ним. Это действие нельзя отменить."
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              setAsking(false);
              toast({ title: "Диалог удалён" });
              onRemoved();
            },
            onError: toastError("Ошибка удаления"),
          })
        }
      />
    </div>
  );
}
