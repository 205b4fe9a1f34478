// How a person pauses, resumes and cancels what a workflow does for many, and sees where it is: a batch, or a migration.
import { defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Attribution } from '../contract/flows/attribution.ts';
import type { BatchControl, BatchPhase, ControlName } from '../contract/flows/batches.ts';

export interface Controlled<Status> {
  readonly status: Status;
  control(control: BatchControl & { readonly what: ControlName }): void;
}

export const phaseAfter = {
  pause: 'paused',
  resume: 'running',
  cancel: 'cancelled',
} as const satisfies Readonly<Record<ControlName, BatchPhase>>;

export function listenToControl<Status extends { readonly phase: string }>(of: Controlled<Status>): void {
  setHandler(defineQuery<Status>('status'), () => of.status);
  for (const what of Object.keys(phaseAfter) as ControlName[])
    setHandler(defineUpdate<Status, [Attribution]>(what), (who) => {
      // What is cancelled ends once those under way have answered.
      if (of.status.phase !== 'cancelled') of.control({ what, who });
      return of.status;
    });
}
