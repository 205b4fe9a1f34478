// What `lint` finds in a valid file: the file runs, but does not do what its author expects.
// docs/flow-file-reference.md has a line for each code.
import { type At, type Finding, formatByRule, pathOf } from '../reading/report.ts';

/** For each code: what is wrong, then what to do about it. */
export const lintRules = {
  StateUnreachable: 'is never entered; add a transition to it, or remove it',
  StateNeverLeft:
    'is never left; add a transition out of it, make it final, or say in meta.unbounded why the process stays there',
  WaitUnbounded:
    'waits without end; add after, within or deadlines, or say in meta.unbounded why it may wait without end',
  AlwaysInCircle:
    'leads back to itself by always without a guard: a process that comes there takes steps without end, and halts or fails; give one of them a guard, or let it wait for something',
  BookingNotUndone:
    'makes a booking that the process does not undo on every way to its end; invoke the flow instead, which undoes its bookings, or invoke CancelShipment on each way, or say in meta.keepsBooking of the last state why the booking stays',
  BookingLeft:
    'leaves the state that books, so that the booking is undone and its result is lost; listen to onDone, stay in the state, or say in meta.undoesBooking why it is undone',
  FailureUnhandled:
    'may fail, and no state takes that: the process halts and needs a person; add onError, or say in meta.unhandled why a person should decide',
  FlowsInCircle:
    'leads back to this flow, and starts processes without end; go to a state instead, or let one flow end before the next one starts',
  ChildUnknown:
    'is no operation, and no flow that lint can see; correct the name, lint its file together with this one, or give --published to ask Temporal',
  InputWrong: 'is not what the invoke takes; correct it',
  ResultWrong:
    'is not what result says of it, and a process that ends with it halts; correct it, or let result say so',
  EventUnheard:
    'is an event that the flow does not listen for; send one that it listens for, or let its file take this one',
  EventNeverComes: 'never comes; listen for an event that comes, or remove this transition',
  InputMayBeMissing:
    'may be missing, and then the expression fails; ask for it with has(…), give another value with .?…orValue(…), or give it a default in input',
  ContextMayBeMissing:
    'is set by assign alone, and the expression fails before that; set it in context at the start, to null for example',
  ContextNeverSet: 'is read from the context, but never set; set it in context or by assign',
  InputNotDeclared:
    'is read from the input, but input does not declare it; add it to the properties of input',
  ContextFieldUnknown:
    'is no field of the answer that is kept there, and the expression fails; read one that it has',
  EventFieldUnknown: 'is no field of what comes there, and the expression fails; read one that it has',
  EventDataNotDeclared:
    'is read from the data of an event whose schema does not declare it; add it to the properties of data in events',
  EventDataMayBeMissing:
    'may be missing in the data of the event, and then the expression fails; ask for it with has(…), give another value with .?…orValue(…), or let its schema require it',
  EventDataWrong:
    'is not what the receiver says of the event; correct it, or let the schema in events take it',
  EventSchemaUnused:
    'is described in events, but no state takes it; correct its name, let a state take it, or remove it',
} as const;

export type LintCode = keyof typeof lintRules;

export const lintCodes = Object.keys(lintRules) as readonly LintCode[];

export interface LintFinding extends Omit<Finding, 'code' | 'expected'> {
  readonly code: LintCode;
  /** The reason, if the code alone does not tell it. */
  readonly because?: string;
}

/** As the checks find it: with its place in the file. */
export interface PlacedFinding extends LintFinding {
  readonly at: At;
}

export const lintFinding = (code: LintCode, at: At, what: string, because?: string): PlacedFinding => ({
  code,
  path: pathOf(at),
  what,
  at,
  ...(because !== undefined && { because }),
});

export const formatLintFinding = ({ because, ...finding }: LintFinding): string =>
  formatByRule(lintRules, finding, because);
