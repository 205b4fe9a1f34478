// All that `lint` finds in a valid file.
import type { FlowFile } from '../flow-file.ts';
import { bookingFindings } from './bookings.ts';
import { circleFindings } from './circles.ts';
import { dataFindings } from './data.ts';
import { eventFindings } from './events.ts';
import { failureFindings } from './failures.ts';
import type { LintFinding } from './lint-finding.ts';
import { Reach } from './reach.ts';
import { stateFindings } from './states.ts';

/** `others` are the files that are checked together with this one. */
export function lintFindings(file: FlowFile, others: readonly FlowFile[] = []): LintFinding[] {
  const reach = new Reach(file);
  return [
    ...stateFindings(reach),
    ...bookingFindings(reach),
    ...failureFindings(reach),
    ...circleFindings(file, others),
    ...eventFindings(reach),
    ...dataFindings(file, reach),
  ];
}
