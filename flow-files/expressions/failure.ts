// What a definition does wrong while it runs: the runtime keeps the process where it stood, and the event.

/** By code: what a person can do about it. */
export const failureRemedies = {
  ExpressionFailed: 'repair the expression, or send data that it can work with',
  ValueTooLarge: 'keep less in one value',
  ContextTooLarge: 'assign less to the context',
  DelayInvalid:
    'let it give an ISO 8601 duration such as P2D, an instant such as 2026-11-21T12:00:00Z, or null',
  TooMuchWork: 'work on smaller lists and texts, or in several steps',
  TooManySteps: 'break the circle of always, raise and onDone',
} as const;

export type FailureCode = keyof typeof failureRemedies;

export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
  readonly code: FailureCode;
  /** Where in the file, as `states.lent.invoke.input.request`; empty where it is no one place. */
  readonly path: string;
  readonly expression: string | undefined;
  readonly reason: string;

  constructor(given: { code: FailureCode; path: string; expression?: string; reason: string }) {
    const { code, path, expression, reason } = given;
    const what = expression === undefined ? '' : ` ${expression}:`;
    super(`${code}: ${path}:${what} ${reason}; ${failureRemedies[code]}`);
    this.code = code;
    this.path = path;
    this.expression = expression;
    this.reason = reason;
  }
}

/** Also where something else has been wrapped around it, and where it comes from another copy of this module. */
export function expressionFailureIn(error: unknown): ExpressionFailure | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++)
    if (each.name === 'ExpressionFailure') return each as ExpressionFailure;
  return undefined;
}
