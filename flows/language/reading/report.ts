// Collects the findings of the checks of one file, and gives the checks the names that they need.
import { type Environment, stepEnvironment } from '../expressions/language.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { closestOf, nearestOf } from '../nearest-names.ts';
import { type At, type Finding, type FindingCode, MAX_FINDINGS, pathOf, type TextPlace } from './finding.ts';

/** The names outside a file that it may use, as far as the program that checks the file knows them. */
export interface KnownNames {
  /** The built-in flows. A file may not take the name of one. */
  readonly builtIn: readonly string[];
  /** The flow files that are published, or checked together with this one. Null if not known: any valid name may be one. */
  readonly published: readonly string[] | null;
  /** Null if not known. */
  readonly connectors: KnownConnectors | null;
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
    ? `a name such as ${closestOf(name, known).join(', ')}`
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

export function kindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'an empty value';
  if (Array.isArray(value)) return 'a list';
  return { object: 'a map', string: 'a text', boolean: 'true or false', number: 'a number' }[
    typeof value as 'object'
  ];
}

export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
