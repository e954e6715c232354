import { clsx } from "clsx";
import { MessageSquarePlus, MessagesSquare, Plus } from "lucide-react";
import { lazy, memo, Suspense, useDeferredValue, useMemo, useState } from "react";
import { useTwins } from "#web/parts/twins/queries.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { Page } from "#web/shell/page.tsx";
import { StopButton } from "#web/shell/stop-button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { useApprovals } from "./approval/approval-queries.ts";
import { AddressNow, type ConversationAddress, NO_FILTERS, useConversationAddress } from "./conversation-address.ts";
import { ConversationFigures } from "./details/conversation-figures.tsx";
import { Inbox } from "./inbox.tsx";
import { rowsOf, useConversations } from "./queries.ts";
import { sampleConversations } from "./samples.ts";

const FirstTwin = lazy(() => import("#web/parts/twins/first-twin.tsx"));
const NewConversation = lazy(() => import("./new-conversation.tsx"));

const NEW = "Новый диалог";

/** A key or a press marks the row or the tab at once; the layout that it leads to is drawn in a pass that can be interrupted. */
export default function ConversationsPage() {
  const now = useConversationAddress();
  const address = useDeferredValue(now);
  return (
    <AddressNow value={now}>
      <DrawnPage address={address} />
    </AddressNow>
  );
}

/** What the address led to when it was last drawn. */
const DrawnPage = memo(function DrawnPage({ address }: { address: ConversationAddress }) {
  const { conversationId, choosing, change } = address;
  const all = useConversations({});
  const [samples] = useState(() => sampleConversations(Date.now()));
  const loaded = useMemo(() => rowsOf(all.data), [all.data]);
  const { data, isSample } = shownOrSample({ data: loaded, error: all.error }, samples);
  const complete = isSample || !all.hasNextPage;
  const customers = useMemo(() => data?.filter(({ platform }) => platform !== "test"), [data]);
  // Until a customer writes, the owner's test chats are all the conversations there are.
  const testsApart = !complete || customers?.length !== 0;
  const latest = all.data?.pages[0]?.rows;
  const sorted = complete || !latest?.some(({ platform }) => platform === "test");
  const empty = data?.length === 0;
  // The first contact may write while the page is open.
  const waiting = useApprovals(empty || address.tab === "approval");
  // Whoever has put all of them off still has them.
  const putOff = useConversations({ snoozed: "1" }, empty);
  const none = empty && !waiting.data?.length && !rowsOf(putOff.data)?.length;
  const blank = none && !conversationId;
  const noTwins = useTwins(none).data?.length === 0;
  const startNew = () => change({ new: "" });
  const readOnly = useReadOnly() !== null;
  const figures = (
    <ConversationFigures
      examplesLine={!blank}
      conversations={testsApart ? customers : data}
      complete={complete}
      isSample={isSample}
      {...(none ? {} : { className: "sm:grid sm:grid-cols-2" })}
    />
  );
  return (
    <Page
      title="Диалоги"
      width="wide"
      covered={conversationId !== null}
      ownSearch={!blank}
      ownExamplesLine={!blank}
      actions={
        blank && noTwins ? undefined : (
          <StopButton {...(none || readOnly ? {} : { onPhone: { label: NEW, icon: Plus, onSelect: startNew } })} />
        )
      }
      {...(none ? {} : { create: { label: NEW, onClick: startNew, quiet: true, menu: !readOnly } })}
      className={clsx("lg:py-4!", !blank && "max-lg:p-0!")}
    >
      {blank && figures}
      {blank && noTwins ? (
        <Suspense>
          <FirstTwin
            className="mt-4"
            title="Пока нет диалогов"
            description="Здесь встанут разговоры двойника с вашими собеседниками. Сначала создайте его."
          />
        </Suspense>
      ) : blank ? (
        <Card className="mt-4">
          <EmptyState
            icon={MessagesSquare}
            title="Пока нет диалогов"
            description="Поговорите с двойником сами: так видно, как он ответит другим."
            action={
              <EditorButton variant="primary" onClick={startNew}>
                <MessageSquarePlus aria-hidden className="icon" />
                Начать диалог
              </EditorButton>
            }
          />
        </Card>
      ) : (
        <Inbox
          address={address}
          figures={figures}
          testsApart={testsApart}
          sorted={sorted}
          samples={isSample ? samples : undefined}
          onRetry={() => void all.refetch()}
          retrying={all.isFetching}
        />
      )}
      {choosing && (
        <Suspense>
          <NewConversation
            onOpened={(id) => change({ new: null, dialog: id, tab: "tests", q: null, ...NO_FILTERS })}
            onClose={() => change({ new: null })}
          />
        </Suspense>
      )}
    </Page>
  );
});
