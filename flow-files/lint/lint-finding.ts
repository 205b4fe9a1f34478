// What `lint` finds in a file that is valid: it runs, and will not do what its author thinks.
// docs/flow-files.md has a line for each code.
import { type At, pathOf } from '../reading/finding.ts';

/** By code: what is wrong, and what to do about it. */
export const lintRules = {
  StateUnreachable: 'is never entered; lead a transition to it, or remove it',
  StateNeverLeft:
    'is never left; lead a transition out of it, make it final, or say in meta.unbounded why it stays',
  WaitUnbounded:
    'waits without end; add an after, a within or deadlines, or say in meta.unbounded why it may',
  BookingNotUndone:
    'books what a way to the end does not undo; invoke the flow instead, which undoes itself, or CancelShipment on each way, or say in meta.keepsBooking of the last state why it stays',
  FlowsInCircle:
    'leads back to this flow, and starts processes without end; go on in a state, or let one flow end before the next is started',
  QuestionUnanswered: 'has nobody to answer it; say in of whose inbox it comes into',
  EventNeverComes: 'never comes; listen for one that does, or remove it',
  AssignNeverRead: 'is assigned and never read; use it in an expression, or remove it',
  ContextNeverSet: 'is read from the context and never set; set it in context or by assign',
  InputNotDeclared: 'is read from the input, which does not declare it; add it to the properties of input',
} as const;

export type LintCode = keyof typeof lintRules;

export const lintCodes = Object.keys(lintRules) as readonly LintCode[];

export interface LintFinding {
  readonly code: LintCode;
  readonly path: string;
  /** What stands there. */
  readonly what: string;
  /** Why, where that is not plain. */
  readonly because?: string;
}

export const lintFinding = (code: LintCode, at: At, what: string, because?: string): LintFinding => ({
  ...{ code, path: pathOf(at), what },
  ...(because !== undefined && { because }),
});

export function wordsOfLint({ code, path, what, because }: LintFinding): string {
  const rule = lintRules[code];
  const [problem, remedy] = [rule.slice(0, rule.indexOf('; ')), rule.slice(rule.indexOf('; ') + 2)];
  return `${code}: ${path}: ${what} ${problem}${because === undefined ? '' : ` (${because})`}; ${remedy}`;
}
