// How far a flow has come, told by the worker that runs it to the process that measures: the same call in each engine, at
// the place where the flow's own code goes on. It goes over the pipe between two processes, past the engine.

export interface Reached {
  readonly step: string;
  readonly at: number;
}

/** Milliseconds of the machine's own clock, which all its processes share. */
export const machineNow = (): number => Number(process.hrtime.bigint()) / 1e6;

export const bookedStep = (priorShipmentUid: string): string => `booked ${priorShipmentUid}`;
export const reportStep = (report: {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
}): string => `${report.shipmentUid} ${report.stateCode}`;

export function tellReached(step: string): void {
  process.send?.({ step, at: machineNow() } satisfies Reached);
}

/** For the program of a worker: it ends with the process that started it. */
export function tellReady(): void {
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}
