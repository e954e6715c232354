/** Labels of answers that were not sent, or whose delivery is unknown. */
export const notDelivered = { unknown: "Неизвестно, дошло ли", failed: "Не отправлено" } as const;
