import type { TwinInput } from "#contract/twins.ts";

/**
 * Input for a twin of which only the name is known. The texts claim nothing: its style comes from the history, and
 * the owner describes it later in the twin's settings.
 */
export function defaultTwinInput(name: string): TwinInput {
  return {
    name: name.trim(),
    description: "Отвечает на сообщения вместо владельца",
    personality: "Пока не описана: двойник перенимает манеру владельца из его переписки",
    communicationStyle: "Как в переписке владельца",
    knowledgeArea: "Переписка владельца",
  };
}
