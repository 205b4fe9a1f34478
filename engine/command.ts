// What can be done to a process: its name, how it reaches the process, whether it is possible now, and what follows.

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

export type CommandFields = Readonly<Record<string, unknown>>;

/** How it reaches the process. */
export type Sent =
  | { readonly kind: 'cancellation' }
  | { readonly kind: 'update' | 'signal'; readonly name: string; readonly constant?: CommandFields };

export interface Command {
  readonly command: string;
  /** For one of several commands of the same name. */
  readonly question?: string;
  readonly sent: Sent;
  /** JSON Schema; null if there are no fields with which it is possible now. */
  readonly fields: object | null;
  /** With no fields: why it is not possible with any. */
  refusal(fields?: CommandFields): Refusal | undefined;
  /** With no fields: only if they do not matter for it. */
  consequence?(fields?: CommandFields): unknown;
}
