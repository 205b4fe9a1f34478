// Everything that `lint` finds in a file that is valid.
import type { FlowFile } from '../flow-file.ts';
import { bookingFindings } from './bookings.ts';
import { dataFindings } from './data.ts';
import { eventFindings } from './events.ts';
import type { LintFinding } from './lint-finding.ts';
import { Reach } from './reach.ts';
import { stateFindings } from './states.ts';

export function lintFindings(file: FlowFile): LintFinding[] {
  const reach = new Reach(file);
  return [
    ...stateFindings(reach),
    ...bookingFindings(reach),
    ...eventFindings(reach),
    ...dataFindings(file, reach),
  ];
}
