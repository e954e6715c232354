import type { StyleProfile } from "#contract/quality.ts";
import { plural } from "#web/i18n/plural.ts";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { MoreLetters } from "../more-letters.tsx";
import { missingFor, type Portrait } from "./portrait.ts";
import type { Quotation } from "./quotations.ts";

interface PortraitSectionProps {
  twinId: string;
  profile: StyleProfile;
  portrait: Portrait | null;
  /** Whether the page has already linked to where messages are added. */
  lettersAsked: boolean;
  /** Grid classes of the page; the second column holds the quoted messages. */
  className: string;
}

/** The portrait in prose beside messages that show it, or what is missing when there is too little data. */
export function PortraitSection({ twinId, profile, portrait, lettersAsked, className }: PortraitSectionProps) {
  if (portrait === null) {
    return (
      <PaperSection id="portrait" title="Портрет вашей речи">
        <p className="max-w-measure text-base">{missingFor(profile.messages)}</p>
        {!lettersAsked && <MoreLetters twinId={twinId} />}
      </PaperSection>
    );
  }
  const { paragraphs, quotations, note } = portrait;
  return (
    <div className={className}>
      <PaperSection
        id="portrait"
        title="Портрет вашей речи"
        description={`По ${plural(profile.messages, ["вашему сообщению", "вашим сообщениям", "вашим сообщениям"])} из ${plural(profile.chats, ["чата", "чатов", "чатов"])}`}
      >
        <div className="flex max-w-measure flex-col gap-3 text-lg leading-relaxed">
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="text-pretty [overflow-wrap:anywhere]">
              {paragraph}
            </p>
          ))}
        </div>
        {note !== null && <p className="mt-4 max-w-measure text-md text-muted">{note}</p>}
      </PaperSection>
      {quotations.length > 0 && <Evidence quotations={quotations} />}
    </div>
  );
}

function Evidence({ quotations }: { quotations: readonly Quotation[] }) {
  return (
    <PaperSection id="portrait-evidence" title="Примеры">
      <ul className="flex flex-col gap-4">
        {quotations.map(({ text, shows }) => (
          <ChatBubble key={text} author="owner" authorLabel="Вы" footer={<span>{shows.join(" · ")}</span>}>
            {text}
          </ChatBubble>
        ))}
      </ul>
    </PaperSection>
  );
}
