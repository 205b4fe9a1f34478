// What the audit log says of each request: who made it, for whom, and which.
export interface AuditedRequest {
  readonly tenantId: number;
  /** Null if an operator's command made the change. */
  readonly clientId: string | null;
  /** The person for whom the client acts, as the client says; null if it says nothing. */
  readonly onBehalfOf: string | null;
  /** Why that person does it, as the client says. */
  readonly why: string | null;
  /** An operation's name, or a command's words. */
  readonly operation: string;
  readonly requestId: string;
}
