// How a process ends.

/** The chart's output: how the workflow closes. */
export type Ending =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The workflow's status is Canceled and it has no result. */
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details?: readonly unknown[];
    };

/** How the process closes; `unhandled` is a failure that no state took. */
export type Closing = Ending | { readonly kind: 'unhandled'; readonly error: unknown };
