// How far a flow has come: told by the program that runs it, where the flow's own code goes on, over the pipe between two
// processes, past the engine.

export interface Milestone {
  readonly step: string;
  readonly at: number;
}

/** Milliseconds of the machine's own clock, which all its processes share. */
export const machineNow = (): number => Number(process.hrtime.bigint()) / 1e6;

export function tellReached(step: string): void {
  process.send?.({ step, at: machineNow() } satisfies Milestone);
}
