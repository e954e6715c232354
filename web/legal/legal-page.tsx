import { useQuery } from "@tanstack/react-query";
import { platformApi } from "#contract/organizations/auth.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { queryOf } from "#web/api/query.ts";
import { AuthFrame } from "#web/shell/public/auth-frame.tsx";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { CONTACT, type LegalText, OPERATOR } from "./texts.ts";

/** One of the texts, with whoever runs this installation put in. */
export function LegalPage({ of: { title, sections } }: { of: LegalText }) {
  const operator = useQuery(queryOf(platformApi.config)).data?.operator;
  const fill = (text: string) =>
    text
      .replace(OPERATOR, operator?.name ?? "владелец этой установки (в настройках сервера он пока не назван)")
      .replace(CONTACT, operator?.contact ?? "обратитесь к тому, кто дал вам доступ");
  return (
    <AuthFrame>
      <article className="mx-auto flex w-full max-w-prose flex-col gap-6">
        <div>
          <ScreenHeading title={title} className="text-xl" />
          <p className="mt-1 text-md text-muted">Редакция от {CONSENT_VERSION.split("-").toReversed().join(".")}</p>
        </div>
        {sections.map((section) => (
          <section key={section.title} className="flex flex-col gap-2">
            <h2 className="text-lg">{section.title}</h2>
            {section.text.map((text) => (
              <p key={text}>{fill(text)}</p>
            ))}
          </section>
        ))}
      </article>
    </AuthFrame>
  );
}
