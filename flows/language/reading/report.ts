// What is wrong with a file, as it is found: a code, the place, what was expected, and the remedy.
import { type Environment, stepEnvironment } from '../expressions/language.ts';
import type { Json } from '../flow-file.ts';
import { nearestFewOf, nearestOf } from '../nearest-names.ts';
import type { SharedCalendars } from './calendars.ts';

/** For each code: what is wrong, then what to do about it. */
const readingRules = {
  FileTooLarge: 'is larger than a flow file may be; split the process into flows that invoke each other',
  NotReadable: 'cannot be read as YAML or JSON; correct the text at this line',
  AliasNotAllowed: 'is a YAML anchor or alias, which a flow file may not have; write the value out',
  TagNotAllowed: 'is a YAML tag, which a flow file may not have; write a plain value',
  MergeKeyNotAllowed: 'merges another map, which a flow file may not do; write the keys of that map here',
  DuplicateKey: 'is written twice in one map; remove one of the two',
  KeyNotAllowed: 'is not allowed as a key; use another name',
  KeyNotText: 'is not a text; put the key in quotes',
  NumberNotJson: 'is a number that JSON cannot hold; write a finite number of at most 15 digits, or a text',
  TooDeep: 'is nested too deeply; use fewer levels',
  FieldMissing: 'is missing; add it',
  FieldUnknown: 'is not a field that is known here; correct its name, or remove it',
  FieldsConflict: 'exclude each other; keep one of them',
  TypeWrong: 'is the wrong kind of value; write the kind that was expected',
  ValueWrong: 'is not an allowed value; write an allowed one',
  NameInvalid:
    'is not a valid name; begin with a letter, and use at most 64 letters, digits, - and _ of plain ASCII',
  NameTaken: 'is a name that is already taken; use another name',
  EventNameInvalid:
    'is not a valid event name; use words of letters, digits, - and _, with dots between the words',
  SrcUnknown:
    'is not a flow, an operation of the locker API, ask, book, call, each or undo; use the name of one of these',
  SelfInvoked:
    'is this flow itself, which would start itself without end; go to a state of this flow instead',
  ActionUnknown: 'is not an action; use the name of one',
  GuardUnknown: 'is not a guard; use an expression, stateIn, not, and or or',
  TargetUnknown:
    'is not a state that can be named from here; name a state beside this one, .name for a state within it, or #id',
  TargetsConflict: 'cannot be active together; name states in different regions of a parallel state',
  InitialUnknown: 'is not a state within this one; name the state that is entered first',
  IdTaken: 'is already the id of another part; give each part its own id',
  WasStillHere:
    'is still the name of a part of this file, which keeps it; name the part as it was called in the version before',
  WasTaken: 'is already what another part was; one part alone continues a former one',
  InvokeUnknown: 'is not the id of an invoke or a raised event of this file; use the id of one',
  StepUnknown: 'is not the id of an invoke with undo; name the steps that this file can undo',
  ReceiverUnknown: 'is not the id of an invoke that runs a flow file; send events only to one of these',
  FailMisplaced: 'ends nothing here; put it into the entry of a final state at the top of the file',
  CalendarUnknown:
    'is no calendar that is known here; correct the name, or add it to calendars of the file, or to calendars.yaml of its folder',
  RequestWrong: 'does not fit the input of this file; correct the request, or input',
  ConnectorUnknown:
    'is not a connector that the workers can use for this; use one that they can, or ask the operator to set it up',
  StateWrong: 'is not allowed; change the type of the state, or remove what does not fit it',
  ExpressionInvalid: 'is not a valid expression; correct it',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows how an expression is written.
  ExpressionNotMarked: 'is a text, not an expression; write the expression within ${…}, in quotes',
  ExpressionTooLong: 'is longer than an expression may be; split it into several steps',
  ExpressionNotAllowed: 'has an expression, but expressions are not evaluated here; write the value itself',
  DelayInvalid:
    'is not a valid delay; use an ISO 8601 duration such as P2D, or an expression that gives a duration or an instant',
  TooManyStates: 'is more than a flow file may have; split the process into flows that invoke each other',
  TooManyTransitions:
    'is more than a flow file may have; split the process into flows that invoke each other',
  TooManyInvokes: 'is more than a flow file may have; split the process into flows that invoke each other',
  ContextTooLarge: 'is larger than a context may be; keep less in it',
  SchemaInvalid: 'is not valid as a JSON Schema here; correct it',
  MoreFindings: 'are not listed here; correct the listed ones first',
} as const;

export type FindingCode = keyof typeof readingRules;

export const findingCodes = Object.keys(readingRules) as readonly FindingCode[];

export interface Finding {
  readonly code: FindingCode;
  /** Such as `states.lent.invoke.src`; empty for the file as a whole. */
  readonly path: string;
  /** Where it is in the text, counted from 1; absent if the place is not in a text. */
  readonly line?: number;
  readonly column?: number;
  /** What is written there. */
  readonly what: string;
  /** What could be written there. */
  readonly expected?: string;
}

/** Findings of one text. More than a person reads: a text of 64 kB can have a finding for each of its characters. */
export const MAX_FINDINGS = 50;
/** Characters of the findings of one text: each may repeat a path that is as long as the text. */
const MAX_FINDINGS_LENGTH = 64 * 1024;

/**
 * The first findings; a last one says how many more there are.
 * @param count how many there are, if `findings` does not have all
 */
export function firstFindings(findings: readonly Finding[], count = findings.length): readonly Finding[] {
  const shown: Finding[] = [];
  let left = MAX_FINDINGS_LENGTH;
  for (const each of findings) {
    const finding = shortened(each);
    left -= finding.path.length + finding.what.length + (finding.expected?.length ?? 0);
    if (shown.length > 0 && (left < 0 || shown.length === MAX_FINDINGS)) break;
    shown.push(finding);
  }
  const more = count - shown.length;
  if (more === 0) return shown;
  const last = findings.at(-1);
  if (more === 1 && last?.code === 'MoreFindings') return [...shown, last];
  return [...shown, { code: 'MoreFindings', path: '', what: `${more} more findings` }];
}

/** A name, a path or a tag may be as long as the text: it is quoted as far as a person needs it to find it. */
const shortened = (finding: Finding): Finding => ({
  ...finding,
  path: begin(finding.path),
  what: begin(finding.what),
});

const LONGEST_QUOTE = 400;
const begin = (text: string): string =>
  text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;

/** One line: what is wrong, where, what was expected and what to do. */
export const formatFinding = ({ expected, ...finding }: Finding): string =>
  formatByRule(readingRules, finding, expected === undefined ? undefined : `expected ${expected}`);

/** @param rules for each code: what is wrong, then what to do about it */
export function formatByRule<Code extends string>(
  rules: Readonly<Record<Code, string>>,
  { code, path, what, ...at }: Omit<Finding, 'code' | 'expected'> & { readonly code: Code },
  more: string | undefined,
): string {
  const [problem = '', ...remedy] = rules[code].split('; ');
  const place = formatPlace(at, path);
  const hint = more === undefined ? '' : ` (${more})`;
  return `${code}: ${place === '' ? '' : `${place}: `}${what} ${problem}${hint}; ${remedy.join('; ')}`;
}

/** A place in a text, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Such as `line 7:5, states.lent.after`. */
export function formatPlace({ line, column }: Partial<TextPlace>, path: string): string {
  const inText = line === undefined ? '' : `line ${line}${column === undefined ? '' : `:${column}`}`;
  return [inText, path].filter((each) => each !== '').join(', ');
}

/** The keys and indexes that lead from the root of the file to a place. */
export type At = readonly (string | number)[];

export const pathOf = (at: At): string => at.join('.');

/** The names outside a file that it may use, as far as the program that checks the file knows them. */
export interface KnownNames {
  /** The built-in flows. A file may not take the name of one. */
  readonly builtIn: readonly string[];
  /** But this one may be a version of such a flow. */
  readonly mayBeBuiltIn?: true;
  /** The flow files that are published, or checked together with this one. Null if not known: any valid name may be one. */
  readonly published: readonly string[] | null;
  /** Null if not known. */
  readonly connectors: KnownConnectors | null;
  /** Those that the files of a folder share. */
  readonly calendars?: SharedCalendars;
}

/** The operator's connectors: those for calls, and those for events. */
export interface KnownConnectors {
  readonly calls: readonly string[];
  readonly events: readonly string[];
}

/** A value with one of these findings is left out of the later checks. */
const shapeless: readonly FindingCode[] = [
  ...(['TypeWrong', 'ValueWrong', 'ExpressionNotAllowed', 'ActionUnknown', 'GuardUnknown'] as const),
];

// More names than a person would read.
const MAX_LISTED = 25;

const someOf = (name: string, known: readonly string[]): string =>
  known.length > MAX_LISTED
    ? `a name such as ${nearestFewOf(name, known).join(', ')}`
    : `one of ${known.join(', ')}`;

export class Report {
  readonly findings: Finding[];
  readonly names: KnownNames;
  /** The places after which the data does not have the form of a file. */
  readonly misshapen: At[];
  /** For the expressions that are checked. */
  readonly environment: Environment;
  readonly #placeOf: (at: At) => TextPlace | undefined;

  constructor(
    names: KnownNames,
    placeOf: (at: At) => TextPlace | undefined,
    { environment = stepEnvironment, of }: { environment?: Environment; of?: Report } = {},
  ) {
    this.names = names;
    this.environment = environment;
    this.findings = of?.findings ?? [];
    this.misshapen = of?.misshapen ?? [];
    this.#placeOf = placeOf;
  }

  /** The same report, for a part of the file whose expressions have other variables. */
  within(environment: Environment): Report {
    return new Report(this.names, this.#placeOf, { environment, of: this });
  }

  find(code: FindingCode, at: At, what: string, expected?: string): void {
    if (shapeless.includes(code)) this.misshapen.push(at);
    // It is only counted, and its path may be as long as the file.
    if (this.findings.length > MAX_FINDINGS) {
      this.findings.push({ code, path: '', what: '' });
      return;
    }
    this.findings.push({
      code,
      path: pathOf(at),
      what,
      ...this.#placeOf(at),
      ...(expected !== undefined && { expected }),
    });
  }

  /** Suggests the most similar known name; if none is similar, lists all of them, or of many the closest. */
  findUnknown(code: FindingCode, at: At, name: string, known: readonly string[]): void {
    const near = nearestOf(name, known);
    if (near !== undefined) this.find(code, at, name, `${near}, perhaps`);
    else this.find(code, at, name, known.length === 0 ? undefined : someOf(name, known));
  }
}

export function jsonKindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'an empty value';
  if (Array.isArray(value)) return 'a list';
  return { object: 'a map', string: 'a text', boolean: 'true or false', number: 'a number' }[
    typeof value as 'object'
  ];
}
