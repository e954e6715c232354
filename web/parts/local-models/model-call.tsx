import { Cpu } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { offerOf } from "./offer.ts";
import { useLocalModels } from "./queries.ts";

const KEY = "model-offer";

/** On the dashboard of whoever runs the server, once in each browser: models that would make its twins better. */
export function ModelCall() {
  const { user } = useSession();
  const [passed, setPassed] = useState(() => localStorage.getItem(KEY) !== null);
  if (!user?.runsInstallation || passed) return null;

  function pass() {
    localStorage.setItem(KEY, "passed");
    setPassed(true);
  }

  return <Offer onPass={pass} />;
}

function Offer({ onPass }: { onPass: () => void }) {
  const models = useLocalModels().data;
  const offer = models === undefined ? null : offerOf(models);
  if (offer === null) return null;
  return (
    <section
      aria-label="Модель"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-primary-soft p-4 text-primary-text"
    >
      <Cpu aria-hidden className="icon" />
      <p className="min-w-0 flex-1 basis-64 text-md">
        <b className="font-semibold">{offer.title}</b> {offer.sentences.join(" ")} Этому серверу это по силам.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button asChild size="sm">
          <Link href={paths.model} onClick={onPass}>
            Выбрать модель
          </Link>
        </Button>
        <Button size="sm" variant="ghost" onClick={onPass}>
          Не сейчас
        </Button>
      </div>
    </section>
  );
}
