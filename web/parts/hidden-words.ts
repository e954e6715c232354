/** Placeholder for an answer that quotes its owner's private messages, which other members may not read. */
export const hiddenWords = (): string => "Ответ из личной переписки владельца: его видит только он";
