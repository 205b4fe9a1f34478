// When a process halts, until a person decides with the update `dropEvent` or `giveUp`.

/** Why a step failed, and at which event. */
export interface Halt {
  readonly code: string;
  readonly message: string;
  readonly event: string;
  readonly details?: unknown;
}

/** When a step halts the process, which then keeps the event of that step. */
export interface HaltRules {
  /** Whether a thrown error halts the process. Undefined: a defect. */
  ofError(error: unknown): Omit<Halt, 'event'> | undefined;
  /**
   * Halts a process that goes around without a pause: asked before it takes a timer that was due at once, with how many such it has
   * taken directly one after the other. Undefined, or not given: it takes this one too.
   */
  ofLoop?(rounds: number, delay: string): Omit<Halt, 'event'> | undefined;
}
