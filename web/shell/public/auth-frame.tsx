import type { ReactNode } from "react";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { MarkDisc } from "./mark-disc.tsx";
import { PublicHeader } from "./public-header.tsx";

interface AuthFrameProps {
  /** Hides the product's name beside its mark. */
  markOnly?: boolean;
  /** Hides it only where the disc has it. */
  markBesideDisc?: boolean;
  children: ReactNode;
}

export function AuthFrame({ markOnly = false, markBesideDisc = false, children }: AuthFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader markOnly={markOnly} markBesideDisc={markBesideDisc} />
      <main lang="ru" className="flex flex-1 flex-col px-page pt-4 pb-10 sm:pt-10">
        {children}
      </main>
      <footer lang="ru" className="px-page pb-6 text-center text-sm text-subtle">
        © 2025 Цифровые двойники. Все права защищены.
      </footer>
    </div>
  );
}

interface AuthPageProps {
  title: string;
  description?: ReactNode;
  links?: ReactNode;
  children: ReactNode;
}

export function AuthPage({ title, description, links, children }: AuthPageProps) {
  return (
    <AuthFrame markBesideDisc>
      <div className="mx-auto grid w-full max-w-content flex-1 grid-cols-1 content-center items-center gap-8 lg:grid-cols-2">
        {/* The same motif as beside the login. In a narrow column it makes room for its ring, which stands out to the left. */}
        <MarkDisc className="relative mx-auto hidden w-full max-w-lg lg:block">
          <p className="font-semibold text-2xl">Цифровые двойники</p>
          <p className="mt-1.5 max-w-80 text-md">
            ИИ-двойник учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает вашими словами
          </p>
        </MarkDisc>
        <div className="mx-auto flex w-full max-w-md flex-col gap-5 lg:me-0">
          <Card className="p-4 sm:p-6">
            <ScreenHeading title={title} className="text-xl" />
            {description && <p className="mt-1.5 text-md text-muted">{description}</p>}
            <div className="mt-5">{children}</div>
          </Card>
          {links && <p className="text-center text-md text-muted">{links}</p>}
        </div>
      </div>
    </AuthFrame>
  );
}
