/** The acting user and the organisation: an administrator's own, or any for the platform's. */
export interface Acting {
  userId: string;
  organizationId: string;
}
