// When a process halts, until a person decides with the update `dropEvent` or `giveUp`.

/** Why a step failed. */
export interface HaltReason {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** With the event whose step failed, and when: in ISO 8601, by the clock of the process. */
export interface Halt extends HaltReason {
  readonly event: string;
  readonly since: string;
}

/** When a step halts the process, which then keeps the event of that step. */
export interface HaltRules {
  /** Whether a thrown error halts the process. Undefined: a defect. */
  ofError(error: unknown): HaltReason | undefined;
  /**
   * Halts a process that goes around without a pause: asked before it takes a timer that was due at once, with how many such it has
   * taken directly one after the other. Undefined, or not given: it takes this one too.
   */
  ofLoop?(rounds: number, delay: string): HaltReason | undefined;
}
