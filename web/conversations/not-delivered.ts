export const notDelivered = { unknown: "Неизвестно, дошло ли", failed: "Не отправлено" } as const;
