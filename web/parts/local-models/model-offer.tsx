import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { Link } from "wouter";
import { remoteModelApi } from "#contract/models/remote-model.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";
import { Button } from "#web/ui/button.tsx";
import { offerOf } from "./offer.ts";
import { useLocalModels, usePassOffer } from "./queries.ts";

/** Card on the operator's dashboard until dismissed: models that would improve the twins. */
export default function ModelOffer() {
  const models = useLocalModels().data;
  const pass = usePassOffer();
  const remote = useQuery(queryOf(remoteModelApi.get, useOwnOrganization()));
  const offer = models === undefined || remote.isPending ? null : offerOf(models, remote.data ?? null);
  if (offer === null) return null;
  const onPass = () => pass.mutate();
  return (
    <section aria-label="Модель" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t pt-4 text-md">
      <Cpu aria-hidden className="icon shrink-0 text-muted" />
      <p className="min-w-0 flex-1 basis-64">
        <b className="font-semibold">{offer.title}</b> <span className="text-muted">{offer.why}</span>
      </p>
      <div className="flex gap-2">
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
