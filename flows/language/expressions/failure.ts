// What a flow file does wrong while it runs. The process then stays in its state, and the event is kept.

/** For each code: what the author of the file can change. */
export const failureRemedies = {
  ExpressionFailed: 'repair the expression, or send data that it can work with',
  ValueTooLarge: 'keep less in one value',
  ContextTooLarge: 'assign less to the context',
  DelayInvalid:
    'let it give an ISO 8601 duration such as P2D, an instant such as 2026-11-21T12:00:00Z, or null',
  TooMuchWork: 'work on smaller lists and texts, or in several steps',
  TooManySteps: 'break the circle of always, raise and onDone',
  GoesAround: 'count the moment from now, or give the way back a guard',
  ResultWrong: 'let output give what result describes, or describe in result what it gives',
  FailureUnhandled: 'take the failure with onError',
  InvokeNotRunning: 'cancel an invoke, and send it events, only in states in which it runs',
} as const;

/** What an operator can do with a process that stands still, the best first. */
export const haltRemedies = {
  migrate: 'correct the file, publish it, and let the process take the event again',
  dropEvent: 'continue without the event',
  giveUp: 'end the process, which undoes its flows',
} as const;

const [repair, ...others] = Object.entries(haltRemedies).map(([action, words]) => `${words} (${action})`);

/** The words for all that says it: the repair comes first, with what to change. */
const formatRemedies = (code: FailureCode): string =>
  `${repair}: ${[failureRemedies[code], ...others].join('; or ')}`;

export type FailureCode = keyof typeof failureRemedies;

/** Where in the file it is, and why: what a halt and a failure have as data. */
export interface FileFault {
  /** Such as `states.lent.invoke.input.request`; empty if there is no single place. */
  readonly path: string;
  readonly expression: string | null;
  readonly reason: string;
  /** The operation that the locker service has refused, and how, where no state takes that. */
  readonly refused?: RefusedOperation;
}

export interface RefusedOperation {
  readonly code: string;
  readonly operation: string;
}

export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
  readonly code: FailureCode;
  /** The same for an operator, where a process stands still because of it. */
  readonly haltMessage: string;
  readonly path: string;
  readonly expression: string | undefined;
  readonly reason: string;
  readonly refused: RefusedOperation | undefined;

  constructor(
    given: Pick<FileFault, 'path' | 'reason'> & {
      readonly code: FailureCode;
      readonly expression?: string;
      readonly refused?: RefusedOperation | undefined;
    },
  ) {
    const { code, path, expression, reason, refused } = given;
    const wrong = [code, path, expression, reason].filter((each) => each).join(': ');
    super(`${wrong}; ${failureRemedies[code]}`);
    this.haltMessage = `${wrong}; ${formatRemedies(code)}`;
    this.code = code;
    this.path = path;
    this.expression = expression;
    this.reason = reason;
    this.refused = refused;
  }

  get fault(): FileFault {
    const { path, expression = null, reason, refused } = this;
    return { path, expression, reason, ...(refused && { refused }) };
  }
}

/** Finds the failure also if other errors are wrapped around it, or if another copy of this module threw it. */
export function expressionFailureIn(error: unknown): ExpressionFailure | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++)
    if (each.name === 'ExpressionFailure') return each as ExpressionFailure;
  return undefined;
}
