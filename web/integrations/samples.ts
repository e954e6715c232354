import { ShownIntegration } from "./shown-integration.ts";

/** Shown on /integrations when the response is not a list. */
export const sampleIntegrations = [
  {
    id: "sample-1",
    platform: "telegram",
    status: "active",
    digitalTwinName: "Анна Петрова",
    messagesImported: 1247,
    lastSync: "2025-11-20T10:00:00.000Z",
    phoneNumber: "+7 900 123-45-67",
    autonomy: "draft",
  },
  {
    id: "sample-2",
    platform: "whatsapp",
    status: "inactive",
    digitalTwinName: "Отдел продаж",
    messagesImported: 386,
    phoneNumber: "+7 900 765-43-21",
    autonomy: "off",
  },
].map((entry) => ShownIntegration.parse(entry));
