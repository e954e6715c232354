/** Of answers that did not go out, or whose fate nobody knows. */
export const notDelivered = { unknown: "Неизвестно, дошло ли", failed: "Не отправлено" } as const;
