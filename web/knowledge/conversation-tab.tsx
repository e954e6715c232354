import type { UseQueryResult } from "@tanstack/react-query";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { ConversationForm } from "#web/parts/conversation-upload/conversation-form.tsx";
import type { TwinChoice } from "#web/parts/twins/twin-field.tsx";
import { Button } from "#web/ui/button.tsx";
import { ExportCard } from "./export-card.tsx";
import type { useTrainAiAddress } from "./use-train-ai-address.ts";

interface ConversationTabProps extends TwinChoice {
  imports: UseQueryResult<ImportState[]>;
  address: ReturnType<typeof useTrainAiAddress>[0];
  onAddress: ReturnType<typeof useTrainAiAddress>[1];
}

const segment = (chosen: boolean) =>
  ({ size: "sm", variant: chosen ? "outline" : "ghost", "aria-pressed": chosen }) as const;

export default function ConversationTab({ imports, address, onAddress, ...choice }: ConversationTabProps) {
  return (
    <div className="flex flex-col gap-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset of two buttons would be no form field either */}
      <div
        role="group"
        aria-label="Откуда взять переписку"
        className="inline-flex gap-1 self-start rounded-lg border bg-sunken p-1"
      >
        <Button {...segment(address.from === "paste")} onClick={() => onAddress({ from: "paste" })}>
          Вставить переписку
        </Button>
        <Button {...segment(address.from === "file")} onClick={() => onAddress({ from: "file" })}>
          Файл выгрузки
        </Button>
      </div>
      {address.from === "paste" ? (
        <ConversationForm {...choice} />
      ) : (
        <ExportCard {...choice} imports={imports} shown={address.import} onShow={(id) => onAddress({ import: id })} />
      )}
    </div>
  );
}
