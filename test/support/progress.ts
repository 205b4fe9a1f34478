// The progress of a process of which nothing is known, but for what a test gives.
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress, Progress } from '../../contract/flows/flow-answers.ts';
import { expectedLegs } from '../../flows/booking/progress.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { nothingOfChart } from '../../flows/language/machine/progress.ts';

export function newProgress(given: Partial<Progress> = {}): Progress {
  const {
    flow = 'Issue',
    version = 1,
    phase = 'Open',
    waitingFor = [],
    state = 'following',
    ...more
  } = given;
  const { id: _, isWhole: __, ...own } = newBooking(more, flow);
  const booking = { id: 'shipments', isWhole: true, ...own };
  return { flow, version, phase, waitingFor, state, ...nothingOfChart, ...own, bookings: [booking], ...more };
}

/** A booking as the flow makes it. */
export function newBooking(given: Partial<BookingProgress> = {}, flow = 'Issue'): BookingProgress {
  const declaration = declarations.find(({ name }) => name === flow);
  if (!declaration) throw new TypeError(`no flow ${flow}`);
  return {
    id: 'loan',
    isWhole: false,
    operation: declaration.operation,
    caseNo: null,
    activity: 'Following',
    outcome: null,
    legs: expectedLegs(declaration),
    shipments: {},
    unassigned: [],
    deadlines: [],
    overdue: [],
    itemsLeft: [],
    reportHistory: [],
    resolutions: [],
    ...given,
  };
}

/** The progress of a process of a flow file. */
export const newFileProgress = (given: Partial<ProcessProgress> = {}): ProcessProgress => ({
  flow: 'DeviceLoan',
  version: 1,
  phase: 'Open',
  activity: 'Running',
  waitingFor: [],
  state: 'lent',
  ...nothingOfChart,
  bookings: [],
  ...given,
});
