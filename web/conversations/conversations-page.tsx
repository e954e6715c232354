import { clsx } from "clsx";
import { lazy, memo, Suspense, useDeferredValue, useMemo, useState } from "react";
import { useTwins } from "#web/parts/twins/queries.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { Page } from "#web/shell/page.tsx";
import { StopButton } from "#web/shell/stop-button.tsx";
import { ExamplesLine } from "#web/ui/figures/examples.tsx";
import { AddressNow, type ConversationAddress, NO_FILTERS, useConversationAddress } from "./conversation-address.ts";
import { ConversationFigures } from "./details/conversation-figures.tsx";
import { Inbox } from "./inbox.tsx";
import { rowsOf, useConversations } from "./queries.ts";
import { sampleConversations } from "./samples.ts";

const FirstTwin = lazy(() => import("#web/parts/twins/first-twin.tsx"));
const NewConversation = lazy(() => import("./new-conversation.tsx"));

/** A key or a click marks the row or tab at once; the resulting layout is rendered later, so that further input can interrupt it. */
export default function ConversationsPage() {
  const now = useConversationAddress();
  const address = useDeferredValue(now);
  return (
    <AddressNow value={now}>
      <DrawnPage address={address} />
    </AddressNow>
  );
}

/** The page of the address that was last rendered. */
const DrawnPage = memo(function DrawnPage({ address }: { address: ConversationAddress }) {
  const { conversationId, choosing, change } = address;
  const all = useConversations({});
  const [samples] = useState(() => sampleConversations(Date.now()));
  const loaded = useMemo(() => rowsOf(all.data), [all.data]);
  const { data, isSample } = shownOrSample({ data: loaded, error: all.error }, samples);
  const complete = isSample || !all.hasNextPage;
  const customers = useMemo(() => data?.filter(({ platform }) => platform !== "test"), [data]);
  // Until a contact writes, the owner's test chats are the only conversations.
  const testsApart = !complete || customers?.length !== 0;
  const latest = all.data?.pages[0]?.rows;
  const sorted = complete || !latest?.some(({ platform }) => platform === "test");
  const noTwins = useTwins(data?.length === 0).data?.length === 0;
  const starting = data?.length === 0 && noTwins;
  return (
    <Page
      title="Диалоги"
      width="wide"
      covered={conversationId !== null}
      ownSearch
      ownExamplesLine
      actions={starting ? undefined : <StopButton />}
      className="max-lg:p-0! lg:pt-4! lg:pb-2!"
    >
      <div className={clsx("flex flex-col gap-3 lg:gap-2", !starting && "lg:h-[calc(100dvh-var(--header)-1.5rem)]")}>
        <ConversationFigures
          conversations={testsApart ? customers : data}
          complete={complete}
          compact={conversationId !== null}
          className={clsx("max-lg:px-3 max-lg:pt-3", conversationId && "max-lg:hidden")}
        />
        <Inbox
          address={address}
          testsApart={testsApart}
          sorted={sorted}
          samples={isSample ? samples : undefined}
          onRetry={() => void all.refetch()}
          retrying={all.isFetching}
        />
        {starting && (
          <Suspense>
            <FirstTwin
              className="max-lg:mx-3"
              title="Начните с двойника"
              description="Здесь встанут его разговоры с вашими собеседниками."
            />
          </Suspense>
        )}
        {!conversationId && <ExamplesLine className="max-lg:px-4 max-lg:pb-4" />}
      </div>
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
