// What is refused in a flow file before anything runs. docs/flow-files.md has a line for each code.

/** By code: what is wrong, and what to do about it. */
export const readingRules = {
  FileTooLarge: 'is larger than a flow file may be; split the process into flows that invoke each other',
  NotReadable: 'is neither YAML nor JSON; mend the text there',
  AliasNotAllowed: 'is a YAML anchor or alias; write the value out',
  TagNotAllowed: 'is a YAML tag; write a plain value',
  MergeKeyNotAllowed: 'merges another map; write its keys out',
  DuplicateKey: 'stands twice in one map; remove one',
  KeyNotAllowed: 'is a key that is not allowed; give it another name',
  KeyNotText: 'is no text; put the key in quotes',
  NumberNotJson: 'is not a number of JSON; write a finite number of at most 15 digits, or a text',
  TooDeep: 'is nested too deeply; use fewer levels',
  FieldMissing: 'is missing; add it',
  FieldUnknown: 'is no field here; use one that is, or remove it',
  TypeWrong: 'is of the wrong kind; write what was expected',
  ValueWrong: 'is none of the values that are possible; use one that is',
  NameInvalid: 'is no name; use letters, digits, - and _ of plain ASCII, at most 64, beginning with a letter',
  NameTaken: 'is the name of something that exists already; give it another name',
  EventNameInvalid: 'is no name of an event; use words of letters, digits, - and _ with dots between',
  SrcUnknown: 'is neither a flow, nor an operation of the locker API, nor ask or call; use the name of one',
  SelfInvoked: 'is the flow itself, which would start itself for ever; go on in a state instead',
  ActionUnknown: 'is no action; use one that is',
  GuardUnknown: 'is no guard; use an expression, stateIn, and, or, or not',
  TargetUnknown: 'is no state from there; name one',
  TargetsConflict: 'cannot be active together; name states in different regions of a parallel state',
  InitialUnknown: 'is no state in there; name the one that is entered first',
  IdTaken: 'is already the id of another part; give each part its own id',
  InvokeUnknown: 'is not the id of an invoke or a raised event of this file; use the id of one',
  ConnectorUnknown:
    'is no connector of the workers that takes this; use one that does, or ask the operator to set it up',
  StateWrong: 'does not go with its type; change one of them',
  ExpressionInvalid: 'is no valid expression; mend it',
  ExpressionTooLong: 'is longer than an expression may be; do it in several steps',
  ExpressionNotAllowed: 'holds an expression where none is evaluated; write the value itself',
  DelayInvalid:
    'is no delay; use an ISO 8601 duration such as P2D, or an expression that gives one or an instant',
  TooManyStates: 'is more than a flow file may have; split the process into flows that invoke each other',
  TooManyTransitions:
    'is more than a flow file may have; split the process into flows that invoke each other',
  TooManyInvokes: 'is more than a flow file may have; split the process into flows that invoke each other',
  ContextTooLarge: 'is larger than a context may be; keep less in it',
  SchemaInvalid: 'is no JSON Schema that an input may have; mend it',
} as const;

export type FindingCode = keyof typeof readingRules;

export const findingCodes = Object.keys(readingRules) as readonly FindingCode[];

export interface Finding {
  readonly code: FindingCode;
  /** As `states.lent.invoke.src`; empty for the file as a whole. */
  readonly path: string;
  /** In the text, from 1; absent where the place has none. */
  readonly line?: number;
  /** What stands there. */
  readonly what: string;
  /** What could stand there. */
  readonly expected?: string;
}

export const remedyOf = (code: FindingCode): string =>
  readingRules[code].slice(readingRules[code].indexOf('; ') + 2);

/** One line: what is wrong, where, what was expected and what to do. */
export function wordsOfFinding({ code, path, line, what, expected }: Finding): string {
  const place = [line === undefined ? '' : `line ${line}`, path].filter((each) => each !== '').join(', ');
  const rule = readingRules[code];
  const [problem, remedy] = [rule.slice(0, rule.indexOf('; ')), remedyOf(code)];
  const hint = expected === undefined ? '' : ` (expected ${expected})`;
  return `${code}: ${place === '' ? '' : `${place}: `}${what} ${problem}${hint}; ${remedy}`;
}

/** Keys and indexes from the file's root. */
export type At = readonly (string | number)[];

export const pathOf = (at: At): string => at.join('.');
