// All that `lint` finds in a valid file.

import { mapWith, unknownFields } from '../expressions/read-fields.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import { assignedIn } from '../reading/action-effects.ts';
import type { At, TextPlace } from '../reading/report.ts';
import { sourcesIn, textsIn } from '../reading/walk.ts';
import { alwaysFindings } from './always-circles.ts';
import { bookingFindings } from './bookings.ts';
import { eventDataFindings } from './event-data.ts';
import { eventFieldFindings } from './event-fields.ts';
import { eventFindings, messageFindings } from './events.ts';
import {
  circleFindings,
  failureFindings,
  type Invocables,
  invokedFindings,
  resultFindings,
} from './invokes.ts';
import { keptAnswerFindings } from './kept-answers.ts';
import { type LintCode, type LintFinding, lintFinding, type PlacedFinding } from './lint-finding.ts';
import { missingFindings } from './missing.ts';
import { Reach, stateFindings } from './states.ts';

export interface LintOptions {
  /** The files that are checked together with this one. */
  readonly others?: readonly FlowFile[];
  /** If not given, what the file invokes is not checked. */
  readonly invocables?: Invocables;
  /** Where a part of the file is in its text. */
  readonly placeOf?: (at: At) => TextPlace | undefined;
}

/** Those for which a file is not published: what it starts is not there, or does not take what it gets. */
const refused: readonly LintCode[] = ['FlowsInCircle', 'ChildUnknown', 'InputWrong'];

/** What of it stands in the way of its publication. */
export function refusingFindings(
  file: FlowFile,
  { others = [], invocables, placeOf = () => undefined }: LintOptions & { readonly invocables: Invocables },
): LintFinding[] {
  return [
    ...circleFindings(file, [...others, ...invocables.published]),
    ...invokedFindings(file, new Reach(file), others, invocables),
  ]
    .filter(({ code }) => refused.includes(code))
    .map(({ at, ...finding }) => ({ ...finding, ...placeOf(at) }));
}

export function lintFindings(file: FlowFile, options: LintOptions = {}): LintFinding[] {
  const { others = [], invocables, placeOf = () => undefined } = options;
  const reach = new Reach(file);
  const files = [...others, ...(invocables?.published ?? [])];
  return [
    ...stateFindings(reach, files),
    ...alwaysFindings(reach),
    ...bookingFindings(reach),
    ...failureFindings(reach),
    ...circleFindings(file, others),
    ...(invocables ? invokedFindings(file, reach, others, invocables) : []),
    ...eventFindings(reach, files),
    ...messageFindings(file, reach, files),
    ...dataFindings(file, reach),
    ...missingFindings(file, reach),
    ...eventDataFindings(file, reach, files),
    ...eventFieldFindings(reach, files, invocables),
    ...keptAnswerFindings(file, reach, invocables),
    ...resultFindings(file),
  ].map(({ at, ...finding }) => ({ ...finding, ...placeOf(at) }));
}

function dataFindings(file: FlowFile, reach: Reach): PlacedFinding[] {
  const { input: schema, ...rest } = file;
  const sources = [...textsIn(rest as unknown as Json), ...keysOfDelays(reach)].flatMap(sourcesIn);
  const set = [...Object.keys(file.context ?? {}), ...assignedIn(reach.nodes)];
  const declared = schema?.properties === undefined ? null : Object.keys(schema.properties as JsonObject);
  const variables = { context: mapWith(set), ...(declared && { input: mapWith(declared) }) };
  const unknown = unknownFields(sources, variables);
  const namesIn = (variable: string) =>
    unknown.flatMap(({ path, name }) => (path === `${variable}.${name}` ? [name] : []));
  return [
    ...namesIn('context').map((name) => lintFinding('ContextNeverSet', ['context'], name)),
    ...namesIn('input').map((name) => lintFinding('InputNotDeclared', ['input', 'properties'], name)),
  ];
}

const keysOfDelays = ({ nodes }: Reach): string[] =>
  nodes.flatMap(({ state }) => Object.keys(state.after ?? {}));
