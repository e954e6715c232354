/** Element id of an integration's row, which the line above the wizard links to. */
export const rowId = (integrationId: string): string => `integration-${integrationId}`;
