/** The id of an integration's row, to which the line over the wizard leads. */
export const rowId = (integrationId: string): string => `integration-${integrationId}`;
