// Collects the findings of the checks of one file, and gives the checks the names that they need.
import type { Json, JsonObject } from '../flow-file.ts';
import { type At, type Finding, type FindingCode, pathOf, type TextPlace } from './finding.ts';
import { type KnownNames, nearestOf } from './names.ts';

/** A state and its place, before anything in it is checked. */
export interface Place {
  readonly at: At;
  readonly state: JsonObject;
  readonly parent: Place | undefined;
  readonly key: string;
}

/** A value with one of these findings is left out of the later checks. */
const shapeless: readonly FindingCode[] = ['TypeWrong', 'ValueWrong', 'ActionUnknown', 'GuardUnknown'];

export class Report {
  readonly findings: Finding[] = [];
  readonly names: KnownNames;
  /** The places after which the data does not have the form of a file. */
  readonly misshapen: At[] = [];
  readonly #placeOf: (at: At) => TextPlace | undefined;

  constructor(names: KnownNames, placeOf: (at: At) => TextPlace | undefined) {
    this.names = names;
    this.#placeOf = placeOf;
  }

  find(code: FindingCode, at: At, what: string, expected?: string): void {
    if (shapeless.includes(code)) this.misshapen.push(at);
    this.findings.push({
      ...{ code, path: pathOf(at), what },
      ...this.#placeOf(at),
      ...(expected !== undefined && { expected }),
    });
  }

  /** Suggests the most similar known name; if none is similar, lists all of them. */
  findUnknown(code: FindingCode, at: At, name: string, known: readonly string[]): void {
    const near = nearestOf(name, known);
    const expected = near === undefined ? `one of ${known.join(', ')}` : `${near}, perhaps`;
    this.find(code, at, name, known.length === 0 ? undefined : expected);
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
