// The last word is xstate's: the machine is built, as it will be to run.
import { fromPromise } from 'xstate';
import type { FlowFile } from '../flow-file.ts';
import { machineOf } from '../machine/machine.ts';
import type { Report } from './report.ts';

const neverRun = fromPromise(() =>
  Promise.reject(new TypeError('an actor is run by whoever runs the machine')),
);

export function checkMachine(file: FlowFile, report: Report): void {
  try {
    machineOf(file, () => neverRun);
  } catch (error) {
    report.find('MachineInvalid', [], `the machine (${(error as Error).message.split('\n')[0]})`);
  }
}
