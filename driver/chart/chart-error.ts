// The findings for which the driver refuses a machine, before any process runs on it. docs/driver.md has a line for
// each code.

/** By code: what is wrong with it, and the way round. */
const rules = {
  OtherXstate: 'is of another copy of xstate; install exactly the version of xstate that lockerflow names',
  ActorNotDeclared: 'has no implementation; give it in setup({ actors })',
  ActorNotDurable:
    'is a promise, a callback or an observable, which ends with the worker; make it an activity: activity(name)',
  ActorNotNamed:
    'is spawned as an object, which no continued run can find again; declare it in setup({ actors }) and spawn it by its name',
  ActorWithoutId:
    'is spawned without an id, and so can be neither stopped nor found again; give it one: spawnChild(src, { id })',
  ActorWithoutSnapshots:
    'tells only its end, no snapshots between; use onDone and onError instead of onSnapshot',
  ActionNotDeclared: 'has no implementation; give it in setup({ actions })',
  ActionNotKnown: "is neither xstate's own nor a function; use a function or one of xstate's actions",
  FunctionIsAsync: 'is async, and a step does not wait for it; make it an activity: activity(name)',
  GuardNotDeclared: 'has no implementation; give it in setup({ guards })',
  DelayNotDeclared: 'has no implementation, and so would be no delay at all; give it in setup({ delays })',
  NoParent:
    'goes to the parent, and the machine of a workflow has none; send it from a child machine, or emit it',
  StateNotFound: 'names a state that the machine has not; name one of its states',
  ReservedName: 'begins with a name that Temporal keeps for itself; give the event another type',
} as const;

export type ChartErrorCode = keyof typeof rules;

export const chartErrorCodes = Object.keys(rules) as readonly ChartErrorCode[];

export interface Finding {
  readonly code: ChartErrorCode;
  /** The place in the machine: a state's id, and the part of the state. */
  readonly place: string;
  /** The value at that place. */
  readonly what: string;
}

/** All findings of one machine. */
export class ChartError extends TypeError {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    const lines = findings.map(({ code, place, what }) => `${code}: ${place}: ${what} ${rules[code]}`);
    super(lines.join('\n'));
    this.name = 'ChartError';
    this.findings = findings;
  }
}
