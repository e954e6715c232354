import type { ApiKeyScope } from "#contract/integrations/api-keys.ts";

export const scopes: readonly { id: ApiKeyScope; name: string; about: string }[] = [
  { id: "ask", name: "Задавать вопросы", about: "Программа спрашивает двойника и получает ответы" },
  { id: "drafts", name: "Читать черновики", about: "Ответы, которые ждут вашего одобрения; отправить их нельзя" },
  { id: "mcp", name: "Подключаться по MCP", about: "Для ИИ-помощников; что им доступно, решают права выше" },
];

export const scopeName = (id: ApiKeyScope): string => scopes.find((scope) => scope.id === id)?.name ?? id;
