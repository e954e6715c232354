import type { StyleProfile } from "#contract/quality.ts";
import { plural } from "#web/i18n/plural.ts";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { MoreLetters } from "../more-letters.tsx";
import { missingFor, type Portrait } from "./portrait.ts";
import type { Quotation } from "./quotations.ts";

interface PortraitCardProps {
  twinId: string;
  profile: StyleProfile | null;
  /** null: there is too little to tell. */
  portrait: Portrait | null;
}

/** How the owner writes, in prose; what is missing where there is too little to tell. */
export function PortraitCard({ twinId, profile, portrait }: PortraitCardProps) {
  return (
    <PaperSection
      lead
      id="portrait"
      title="Портрет вашей речи"
      description={
        profile !== null &&
        portrait !== null &&
        `По ${plural(profile.messages, ["вашему сообщению", "вашим сообщениям", "вашим сообщениям"])} из ${plural(profile.chats, ["чата", "чатов", "чатов"])}`
      }
    >
      {portrait === null ? <Missing twinId={twinId} messages={profile?.messages ?? 0} /> : <Told portrait={portrait} />}
    </PaperSection>
  );
}

function Missing({ twinId, messages }: { twinId: string; messages: number }) {
  return (
    <>
      <p className="max-w-measure text-base">{missingFor(messages)}</p>
      <MoreLetters twinId={twinId} />
    </>
  );
}

function Told({ portrait: { paragraphs, quotations, note } }: { portrait: Portrait }) {
  return (
    <>
      <div className="flex max-w-measure flex-col gap-3 text-lg leading-relaxed">
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="text-pretty [overflow-wrap:anywhere]">
            {paragraph}
          </p>
        ))}
      </div>
      {note !== null && <p className="mt-4 max-w-measure text-md text-muted">{note}</p>}
      {quotations.length > 0 && <Evidence quotations={quotations} />}
    </>
  );
}

function Evidence({ quotations }: { quotations: readonly Quotation[] }) {
  return (
    <details className="mt-4 text-md">
      <summary className="w-fit rounded-sm font-medium text-primary-text">По чему видно</summary>
      <ul className="mt-3 flex max-w-measure flex-col gap-3">
        {quotations.map(({ text, shows }) => (
          <ChatBubble key={text} author="owner" authorLabel="Вы" footer={<span>{shows.join(" · ")}</span>}>
            {text}
          </ChatBubble>
        ))}
      </ul>
    </details>
  );
}
