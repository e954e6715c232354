import { useQuery } from "@tanstack/react-query";
import { platformApi } from "#contract/organizations/auth.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { queryOf } from "#web/api/query.ts";
import { PAGE_LANGUAGE } from "#web/i18n/language.ts";
import { AuthFrame } from "#web/shell/public/auth-frame.tsx";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { CONTACT, type LegalText, NO_CONTACT, NO_OPERATOR, OPERATOR } from "./texts.ts";

/** Legal texts are not translated, because only the original is binding. */
const WRITTEN_IN = "ru";

export function LegalPage({ of: { title, sections } }: { of: LegalText }) {
  const operator = useQuery(queryOf(platformApi.config)).data?.operator;
  const fill = (text: string) =>
    text.replace(OPERATOR, operator?.name ?? NO_OPERATOR).replace(CONTACT, operator?.contact ?? NO_CONTACT);
  return (
    <AuthFrame>
      <article lang={WRITTEN_IN} className="mx-auto flex w-full max-w-prose flex-col gap-6">
        <div>
          <ScreenHeading title={title} className="text-xl" />
          <p lang={PAGE_LANGUAGE} className="mt-1 text-md text-muted">
            Редакция от {CONSENT_VERSION.split("-").toReversed().join(".")}
          </p>
        </div>
        {PAGE_LANGUAGE !== WRITTEN_IN && <p lang={PAGE_LANGUAGE}>Этот документ есть только на русском языке.</p>}
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
