/** The acting user and the organisation acted on: their own for an organisation's administrator, any for the platform's. */
export interface ActingUser {
  userId: string;
  organizationId: string;
}
