// All that `lint` finds in a valid file.
import type { FlowFile } from '../flow-file.ts';
import type { At, TextPlace } from '../reading/finding.ts';
import { bookingFindings } from './bookings.ts';
import { circleFindings } from './circles.ts';
import { dataFindings } from './data.ts';
import { eventFindings } from './events.ts';
import { failureFindings } from './failures.ts';
import { type Invocables, invokedFindings } from './invoked.ts';
import type { LintCode, LintFinding } from './lint-finding.ts';
import { messageFindings } from './messages.ts';
import { missingFindings } from './missing.ts';
import { Reach } from './reach.ts';
import { neverTakenFindings, stateFindings } from './states.ts';
import { undoFindings } from './undo.ts';

export interface LintOptions {
  /** The files that are checked together with this one. */
  readonly others?: readonly FlowFile[];
  /** If not given, what the file invokes is not checked. */
  readonly invocables?: Invocables;
  /** Where a part of the file is in its text. */
  readonly placeOf?: (at: At) => TextPlace | undefined;
}

/** Those for which a file is not published: what it starts is not there, or does not take what it gets. */
const refused: readonly LintCode[] = ['FlowsInCircle', 'ChildUnknown', 'VersionUnknown', 'InputWrong'];

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
  return [
    ...stateFindings(reach, [...others, ...(invocables?.published ?? [])]),
    ...neverTakenFindings(reach),
    ...bookingFindings(reach),
    ...failureFindings(reach),
    ...circleFindings(file, others),
    ...(invocables ? invokedFindings(file, reach, others, invocables) : []),
    ...eventFindings(reach, [...others, ...(invocables?.published ?? [])]),
    ...undoFindings(reach),
    ...messageFindings(file, reach, [...others, ...(invocables?.published ?? [])]),
    ...dataFindings(file, reach),
    ...missingFindings(file, reach),
  ].map(({ at, ...finding }) => ({ ...finding, ...placeOf(at) }));
}
