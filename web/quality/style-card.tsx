import type { StyleProfile } from "#contract/quality.ts";
import { plural } from "#web/i18n/plural.ts";
import { Card, CardHeader } from "#web/ui/card.tsx";
import { styleFacts } from "./style-facts.ts";

/** The profile in plain words, each fact with the owner's own messages. */
export function StyleCard({ profile }: { profile: StyleProfile }) {
  return (
    <Card aria-labelledby="style">
      <CardHeader
        id="style"
        title="Вот как вы пишете"
        description={`По ${plural(profile.messages, ["вашему сообщению", "вашим сообщениям", "вашим сообщениям"])} из ${plural(profile.chats, ["чата", "чатов", "чатов"])}`}
      />
      <ul className="divide-y">
        {styleFacts(profile).map(({ title, text, examples }) => (
          <li
            key={title}
            className="grid gap-x-6 gap-y-1.5 px-4 py-3.5 text-md md:grid-cols-[10rem_minmax(0,1fr)] md:px-5"
          >
            <h3 className="font-medium">{title}</h3>
            <div className="min-w-0">
              <p className="max-w-measure">{text}</p>
              {examples.length > 0 && (
                <ul className="mt-1.5 flex flex-col gap-1">
                  {examples.map((example) => (
                    <li key={example} className="border-s-2 ps-3 text-muted [overflow-wrap:anywhere]">
                      {example}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
