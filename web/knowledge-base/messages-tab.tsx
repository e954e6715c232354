import { useDeferredValue, useMemo } from "react";
import { useTwins } from "#web/parts/twins/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { useDelayedText } from "#web/use-delayed-text.ts";
import { inConversations } from "./conversation-order.ts";
import { messageMatcher } from "./message-filter.ts";
import { MessageList } from "./message-list.tsx";
import { MessageSkeletons } from "./message-skeletons.tsx";
import { NoMessages } from "./no-messages.tsx";
import { useKnowledgeMessages } from "./queries.ts";
import type { useKnowledgeAddress } from "./use-knowledge-address.ts";

const platforms = ["telegram", "email", "whatsapp"] as const;

interface MessagesTabProps {
  address: ReturnType<typeof useKnowledgeAddress>[0];
  onAddress: ReturnType<typeof useKnowledgeAddress>[1];
}

export default function MessagesTab({ address, onAddress }: MessagesTabProps) {
  const { platform, twin: twinId, message, before } = address;
  // Another filter shows other messages, so it leaves the linked one.
  const narrow: typeof onAddress = (changes) => onAddress({ ...changes, message: "", before: "" });
  const [text, setText] = useDelayedText(address.q, (q) => narrow({ q }));
  const filter = { search: address.q.trim(), platform, twinId };
  const messages = useKnowledgeMessages(filter, before);

  // Loaded messages are filtered by the typed words at once; the server's response follows.
  const typed = useDeferredValue(text.trim());
  const loaded = useMemo(() => messages.data?.pages.flatMap((page) => inConversations(page.messages)), [messages.data]);
  const shown = useMemo(
    () => loaded?.filter(messageMatcher({ search: typed, platform: "all", twinId: "all" })),
    [loaded, typed],
  );
  const ended = !messages.isFetching && !messages.hasNextPage && typed === filter.search;

  return (
    <section aria-label="Обучающие данные" className="flex flex-col gap-4">
      <Filters text={text} onText={setText} address={address} onAddress={narrow} />
      {message !== "" && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-md text-muted">Отмечено сообщение, из&nbsp;которого взят факт.</p>
          <Button size="sm" onClick={() => narrow({})}>
            Показать все сообщения
          </Button>
        </div>
      )}
      {messages.isError && !loaded ? (
        <ErrorCard
          title="Не удалось загрузить сообщения"
          error={messages.error}
          onRetry={() => void messages.refetch()}
        />
      ) : (
        <div className="overflow-hidden rounded-lg border bg-surface">
          {shown && (shown.length > 0 || messages.hasNextPage) && !messages.isPending ? (
            <MessageList
              // A new filter remounts the list, which then starts at the top.
              key={JSON.stringify([filter, message])}
              marked={message}
              messages={shown}
              search={typed}
              manyTwins={twinId === "all"}
              more={{
                exist: messages.hasNextPage && !messages.isPlaceholderData,
                failed: messages.isFetchNextPageError ? messages.error : null,
                busy: messages.isFetching,
                load: () => void messages.fetchNextPage(),
              }}
            />
          ) : ended ? (
            <NoMessages filter={filter} onReset={() => narrow({ q: "", platform: "all", twin: "all" })} />
          ) : (
            <MessageSkeletons />
          )}
        </div>
      )}
    </section>
  );
}

interface FiltersProps extends MessagesTabProps {
  text: string;
  onText: (text: string) => void;
}

function Filters({ text, onText, address, onAddress }: FiltersProps) {
  const twins = useTwins().data ?? [];
  return (
    <search className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_14rem_16rem]">
      <Input
        type="search"
        aria-label="Поиск по сообщениям"
        placeholder="Поиск по сообщениям..."
        className="max-lg:col-span-2"
        maxLength={200}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <Select
        aria-label="Платформа"
        className="max-sm:[&>select]:pe-8!"
        value={address.platform}
        onChange={(event) => onAddress({ platform: event.target.value })}
      >
        <option value="all">Все платформы</option>
        {platforms.map((platform) => (
          <option key={platform} value={platform}>
            {platformName(platform)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Двойник"
        className="max-sm:[&>select]:pe-8!"
        value={address.twin}
        onChange={(event) => onAddress({ twin: event.target.value })}
      >
        <option value="all">Все двойники</option>
        {twins.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </search>
  );
}
