// What is said about a migration: the plan, as data, what stands in its way, and the result.

/** Where the new definition does not say it itself: names of the old one, and what they are in the new one. */
export interface Plan {
  /** States by their paths. */
  readonly states?: Names;
  /** Ids of invokes. */
  readonly invokes?: Names;
  /** Events that somebody sends: the old name goes on to be understood. */
  readonly events?: Names;
  /** `<path of the state> <delay>` of the old definition, and the delay that replaces it. */
  readonly timers?: Names;
  /** Paths of states and ids of invokes that are given up. */
  readonly leave?: readonly string[];
  /** Ids of invokes that begin again, with the new input. */
  readonly restart?: readonly string[];
  /** Events of the new definition that somebody is known to send. */
  readonly sent?: readonly string[];
  /** For timers that would be due already: at once, so many milliseconds from now, or as the old definition had them. */
  readonly overdue?: 'now' | 'keep' | { readonly grace: number };
  /** Fields of the new context and input: for a definition that computes them. */
  readonly context?: Fields;
  readonly input?: Fields;
}

type Names = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';

type Form = readonly [isForm: (value: unknown) => boolean, expected: string];
const names: Form = [(value) => isMap(value) && Object.values(value).every(isText), 'a map of names'];
const list: Form = [(value) => Array.isArray(value) && value.every(isText), 'a list of names'];
const isGrace = (value: unknown): boolean =>
  isMap(value) &&
  Number.isSafeInteger(value.grace) &&
  (value.grace as number) >= 0 &&
  Object.keys(value).length === 1;
const fields: Form = [isMap, 'a map'];

const forms: Readonly<Record<keyof Plan, Form>> = {
  states: names,
  invokes: names,
  events: names,
  timers: names,
  leave: list,
  restart: list,
  sent: list,
  overdue: [
    (value) => value === 'now' || value === 'keep' || isGrace(value),
    'now, keep, or { grace: milliseconds }',
  ],
  context: fields,
  input: fields,
};

/** What is wrong with the form of a plan that anybody may have sent. A misspelt part would be a plan that says nothing. */
export function planProblem(plan: unknown): string | undefined {
  if (plan === undefined) return undefined;
  if (!isMap(plan)) return 'expected plan, a map';
  const unknown = Object.keys(plan).find((part) => !Object.hasOwn(forms, part));
  if (unknown !== undefined)
    return `expected plan, a map with any of ${Object.keys(forms).join(', ')}, not ${JSON.stringify(unknown.slice(0, 100))}`;
  for (const [part, [isForm, expected]] of Object.entries(forms))
    if (plan[part] !== undefined && !isForm(plan[part])) return `expected plan.${part}, ${expected}`;
  return undefined;
}

/** What the definition's own words and the operator's plan say together: the plan comes first. */
export function joined(first: Plan, then: Plan): Plan {
  const lists = (one: readonly string[] = [], other: readonly string[] = []) => [
    ...new Set([...one, ...other]),
  ];
  return {
    ...first,
    ...then,
    states: { ...first.states, ...then.states },
    invokes: { ...first.invokes, ...then.invokes },
    events: { ...first.events, ...then.events },
    timers: { ...first.timers, ...then.timers },
    leave: lists(first.leave, then.leave),
    restart: lists(first.restart, then.restart),
    sent: lists(first.sent, then.sent),
  };
}

/**
 * `gap`: the plan has to say it. `refusal`: no plan makes it possible. A process leaves some of them behind by itself: whoever
 * waits may carry it then.
 */
export const obstacles = {
  StateRemoved: {
    kind: 'gap',
    passes: true,
    meaning: 'the process is in a state that the new definition has not',
  },
  StateUnknown: { kind: 'gap', passes: false, meaning: 'the plan names a state that is not there' },
  StatesExclude: {
    kind: 'refusal',
    passes: true,
    meaning: 'states that were active together exclude each other',
  },
  FinalChanged: {
    kind: 'gap',
    passes: true,
    meaning: 'an occupied state becomes final, or is final no longer',
  },
  WouldEnd: { kind: 'refusal', passes: true, meaning: 'the process would end by its migration alone' },
  InvokeRemoved: {
    kind: 'gap',
    passes: true,
    meaning: 'something runs that the new definition does not invoke there',
  },
  InvokeChanged: {
    kind: 'gap',
    passes: true,
    meaning: 'something runs, and the new definition invokes something else',
  },
  ActorChanged: {
    kind: 'refusal',
    passes: true,
    meaning:
      'an `each` or `undo` runs, and the new definition has another actor there, or another `each` of its former id',
  },
  TimerUnclear: { kind: 'gap', passes: true, meaning: 'a delay has fired, and may be any of the new ones' },
  TimerOverdue: { kind: 'gap', passes: true, meaning: 'by the new delay it would be due already' },
  DelayFails: { kind: 'refusal', passes: true, meaning: 'the new delay cannot be computed' },
  Stranded: {
    kind: 'gap',
    passes: true,
    meaning: 'nothing that left the state before would leave it afterwards',
  },
  ContextUnknown: { kind: 'gap', passes: false, meaning: 'the new definition needs a value of the context' },
  InputUnknown: { kind: 'gap', passes: false, meaning: 'the new definition needs a value of the input' },
  StepFails: {
    kind: 'refusal',
    passes: true,
    meaning: 'what leaves the old or enters the new definition fails',
  },
  Ended: { kind: 'refusal', passes: false, meaning: 'the process has ended, or is ending' },
} as const satisfies Record<string, { kind: 'gap' | 'refusal'; passes: boolean; meaning: string }>;

type ObstacleCode = keyof typeof obstacles;

export interface Obstacle {
  readonly code: ObstacleCode;
  /** The state's path, the invoke's id, the field, or the delay as `timers` of a plan has it. */
  readonly at: string;
  readonly reason: string;
  readonly remedy: string;
}

type MigrationResultKind = 'carried' | 'needsPlan' | 'waits' | 'refused';

export interface MigrationResult {
  readonly kind: MigrationResultKind;
  readonly obstacles: readonly Obstacle[];
  /** What is carried otherwise than one may expect. */
  readonly notes: readonly string[];
  /** How many of its timers would be due at once. */
  readonly overdue: number;
}

export function resultKindOf(found: readonly Obstacle[], waits: boolean): MigrationResultKind {
  if (found.length === 0) return 'carried';
  if (waits && found.every(({ code }) => obstacles[code].passes)) return 'waits';
  return found.some(({ code }) => obstacles[code].kind === 'refusal') ? 'refused' : 'needsPlan';
}
