import { EyeOff } from "lucide-react";
import { useState } from "react";
import type { ContactCard, ContactUpdate } from "#contract/conversations/contact-card.ts";
import { formatMoment, formatShortDate } from "#web/i18n/format.ts";
import { autonomyLevel, autonomyLevels } from "#web/parts/autonomy-levels.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { useAssignees, useUpdateConversation } from "../queries.ts";
import type { ShownConversation } from "../shown-conversation.ts";
import {
  useContact,
  useFactChanges,
  useForgetContact,
  useNoteChanges,
  useNotes,
  useUpdateContact,
} from "./contact-queries.ts";
import { PersonChannels } from "./person-channels.tsx";
import { Section } from "./section.tsx";
import { TextList } from "./text-list.tsx";

interface ContactDetailsProps {
  conversation: ShownConversation;
  may: boolean;
  onForgotten: () => void;
}

const failed = (error: unknown) => toastError("Не удалось сохранить")(error);

export default function ContactDetails({ conversation, may, onForgotten }: ContactDetailsProps) {
  const { id } = conversation;
  const { data: card, error, refetch } = useContact(id);
  if (!card) {
    return error ? (
      <ErrorCard className="m-4" title="Не удалось загрузить карточку" error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingStatus className="min-h-32">Загружаем карточку...</LoadingStatus>
    );
  }
  return (
    <div className="flex flex-col gap-5 p-4">
      <Person card={card} />
      {card.channels.length > 0 && <PersonChannels card={card} may={may} />}
      <Assignee conversation={conversation} may={may} />
      <Notes conversationId={id} may={may} />
      <Memory card={card} may={may} />
      <TargetStyle card={card} may={may} />
      <Consent card={card} may={may} />
      {card.channels.length === 0 && may && <PersonChannels card={card} may={may} />}
      <Order card={card} />
      {may && <Forget card={card} onForgotten={onForgotten} />}
    </div>
  );
}

function Person({ card: { name, handle, platform, since } }: { card: ContactCard }) {
  return (
    <div className="flex items-center gap-3">
      <Avatar name={name} who="contact" />
      <div className="min-w-0">
        <p className="font-medium text-base [overflow-wrap:anywhere]">{name}</p>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-muted text-sm">
          <PlatformLabel platform={platform} />
          {handle && <span className="min-w-0 [overflow-wrap:anywhere]">{handle}</span>}
        </p>
        <p className="text-muted text-sm">Знакомы с {formatShortDate(since)}</p>
      </div>
    </div>
  );
}

function Assignee({ conversation: { id, assignee }, may }: Pick<ContactDetailsProps, "conversation" | "may">) {
  const { data: members = [] } = useAssignees();
  const update = useUpdateConversation(id);
  const gone = assignee && !members.some((member) => member.id === assignee.id);
  return (
    <Field label="Ответственный">
      <Select
        placeholder="Никто"
        value={assignee?.id ?? ""}
        disabled={!may || update.isPending}
        onChange={({ target }) => update.mutate({ assigneeId: target.value || null }, { onError: failed })}
      >
        {gone && <option value={assignee.id}>{assignee.name}</option>}
        {members.map((member) => (
          <option key={member.id} value={member.id}>
            {member.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Internal notes, in a different colour so that they are not mistaken for messages. */
function Notes({ conversationId, may }: { conversationId: string; may: boolean }) {
  const { data: notes = [] } = useNotes(conversationId);
  const changes = useNoteChanges(conversationId);
  return (
    <section aria-label="Заметки" className="flex flex-col gap-2.5 border-t pt-5">
      <div>
        <h3 className="flex items-center gap-2 text-base">
          <EyeOff aria-hidden className="icon text-warning-text" />
          Заметки
        </h3>
        <p className="text-muted text-sm">Только для вашей организации: собеседник и&nbsp;двойник их не&nbsp;видят</p>
      </div>
      <TextList
        label="Заметки к диалогу"
        entries={notes.map(({ id, text, author, mine, createdAt, editedAt }) => ({
          id,
          text,
          mine: mine && may,
          about: `${author}, ${formatMoment(createdAt)}${editedAt ? ", изменено" : ""}`,
        }))}
        changes={changes}
        slips
        addLabel="Добавить заметку"
        fieldLabel="Заметка"
        maxLength={4000}
        mayAdd={may}
      />
    </section>
  );
}

function Memory({ card: { conversationId, facts }, may }: { card: ContactCard; may: boolean }) {
  const changes = useFactChanges(conversationId);
  return (
    <Section
      title="О собеседнике"
      about="Записи для вас и коллег, общие для всех его каналов. Двойник их не читает и собеседнику не скажет."
    >
      {facts.length === 0 && !may && <p className="text-md text-muted">Пока ничего</p>}
      <TextList
        label="Записи о собеседнике"
        entries={facts.map((fact) => ({ ...fact, mine: may }))}
        changes={changes}
        addLabel="Записать"
        fieldLabel="Запись"
        maxLength={500}
        mayAdd={may}
      />
    </Section>
  );
}

function useSave(conversationId: string) {
  const update = useUpdateContact(conversationId);
  return {
    saving: update.isPending,
    save: (change: ContactUpdate) => update.mutate(change, { onError: failed }),
  };
}

function TargetStyle({ card, may }: { card: ContactCard; may: boolean }) {
  const { conversationId, tone, autonomy, integrationAutonomy } = card;
  const { save, saving } = useSave(conversationId);
  return (
    <Section title="Как отвечать">
      <Field label="Обращение">
        <Select
          value={tone ?? ""}
          disabled={!may || saving}
          onChange={({ target }) => save({ tone: (target.value || null) as ContactUpdate["tone"] })}
          placeholder="По переписке"
        >
          <option value="ты">На «ты»</option>
          <option value="вы">На «вы»</option>
        </Select>
      </Field>
      <Field label="Самостоятельность" hint={autonomyLevel(autonomy ?? integrationAutonomy).about}>
        <Select
          value={autonomy ?? ""}
          disabled={!may || saving}
          onChange={({ target }) => save({ autonomy: (target.value || null) as ContactUpdate["autonomy"] })}
          placeholder="Как в интеграции"
        >
          {autonomyLevels.map((level) => (
            <option key={level.value} value={level.value}>
              {level.name}
            </option>
          ))}
        </Select>
      </Field>
    </Section>
  );
}

function Consent({ card: { conversationId, consent }, may }: { card: ContactCard; may: boolean }) {
  const { save, saving } = useSave(conversationId);
  return (
    <Section title="Согласие">
      <Field
        label="Согласен, что отвечает ИИ"
        hint={
          consent
            ? `Отмечено ${formatMoment(consent.at)}${consent.by ? `, ${consent.by}` : ""}. ${consent.state === "refused" ? "Двойник ему не\u00a0отвечает." : ""}`
            : undefined
        }
      >
        <Select
          value={consent?.state ?? ""}
          disabled={!may || saving}
          onChange={({ target }) => save({ consent: (target.value || null) as ContactUpdate["consent"] })}
          placeholder="Неизвестно"
        >
          <option value="given">Да</option>
          <option value="refused">Нет</option>
        </Select>
      </Field>
    </Section>
  );
}

function Order({ card: { optedOutAt, disclosedAt } }: { card: ContactCard }) {
  return (
    <Section title="Состояние">
      {optedOutAt && (
        <div className="flex flex-col items-start gap-1">
          <Badge tone="danger">Просит не писать</Badge>
          <p className="text-md text-muted">
            {formatMoment(optedOutAt)} собеседник написал «СТОП». Ни&nbsp;двойник, ни&nbsp;вы отсюда ему
            не&nbsp;напишете, пока он&nbsp;сам не&nbsp;напишет «СТАРТ».
          </p>
        </div>
      )}
      <p className="text-md text-muted">
        {disclosedAt
          ? `Знает, что отвечает ИИ-помощник, с ${formatMoment(disclosedAt)}`
          : "Первый ответ двойника предупредит, что отвечает ИИ-помощник"}
      </p>
      {!optedOutAt && <p className="text-md text-muted">Если собеседник напишет «СТОП», ответы прекратятся.</p>}
    </Section>
  );
}

function Forget({
  card: { conversationId, name, channels },
  onForgotten,
}: {
  card: ContactCard;
  onForgotten: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const forget = useForgetContact(conversationId);
  return (
    <div className="border-t pt-5">
      <Button
        variant="danger"
        className="h-auto! min-h-control whitespace-normal! py-1.5"
        onClick={() => setAsking(true)}
      >
        Удалить всё об этом контакте
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Удалить всё о собеседнике «${name}»?`}
        description={
          channels.length === 0
            ? "Переписка, черновики, записи о нём, заметки, примеры ответов и записи в поиске исчезнут навсегда, вместе с личными чатами из импорта. Это действие нельзя отменить."
            : "Переписка во всех каналах этого человека, черновики, записи о нём, заметки, примеры ответов и записи в поиске исчезнут навсегда, вместе с личными чатами из импорта. Это действие нельзя отменить."
        }
        confirmLabel="Удалить всё"
        destructive
        busy={forget.isPending}
        onConfirm={() =>
          forget.mutate(undefined, {
            onSuccess: () => {
              setAsking(false);
              toast({ title: "Всё о собеседнике удалено" });
              onForgotten();
            },
            onError: toastError("Ошибка удаления"),
          })
        }
      />
    </div>
  );
}
