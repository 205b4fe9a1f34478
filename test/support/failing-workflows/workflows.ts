// Workflows at which a worker fails, and fails again at each try, as at a defect of the code: Temporal does not end them.
import { condition, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';

const defect = () => new ReferenceError('structuredClone is not defined');

/** At its first step. */
export async function Issue(): Promise<void> {
  throw defect();
}

/** When its clock is moved. */
export async function Intake(): Promise<void> {
  const status = {
    ...{ aheadMs: 0, now: '2031-05-01T12:00:00.000Z', next: null, isOpen: true },
    ...{ taken: 0, isAtRest: true, calls: [], children: [] },
  };
  setHandler(defineQuery('clock'), () => status);
  setHandler(defineUpdate('moveClock'), () => {
    throw defect();
  });
  await condition(() => false);
}
