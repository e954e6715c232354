/** Stands where an answer comes from its owner's letters, which other members may not read. */
export const hiddenWords = (): string => "Ответ из личной переписки владельца: его видит только он";
