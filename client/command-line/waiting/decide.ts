// A person's decision for a process that does not know how to continue, and what its retry may do.
import type { Resolve } from '../../../contract/flows/flow-messages.ts';
import { type AtTemporal, answered } from '../temporal.ts';

export type Decision = Resolve | { readonly action: 'dropEvent'; readonly by: string; readonly why: string };

/** `giveUp` means different things for a held process of a flow file and for a flow in doubt. */
export async function decide(temporal: AtTemporal, workflowId: string, decision: Decision): Promise<void> {
  const { by, why, action } = decision;
  const file = temporal.flows.fileHandle(workflowId);
  if (action === 'dropEvent') return await answered(temporal, () => file.dropEvent({ by, why }));
  const isFile = action === 'giveUp' && 'held' in (await answered(temporal, () => file.progress()));
  await answered(temporal, () =>
    isFile ? file.giveUp({ by, why }) : temporal.flows.handle(workflowId).resolve(decision),
  );
}

/** Null: it books nothing twice. */
export async function riskOfRetry(
  temporal: AtTemporal,
  workflowId: string,
  { action }: Pick<Decision, 'action'>,
): Promise<string | null> {
  if (action !== 'retry') return null;
  const { doubt } = await answered(temporal, () => temporal.flows.handle<'Issue'>(workflowId).progress());
  return doubt ? riskInDoubt(doubt.retryMayBookTwice) : null;
}

/** As the flow's doubt tells it. */
export function riskInDoubt(retryMayBookTwice: boolean | null): string | null {
  if (retryMayBookTwice === false) return null;
  return retryMayBookTwice
    ? 'the service cannot be asked whether the booking was made, so retry may book a second time'
    : 'perhaps the service cannot be asked whether the booking was made; then retry may book a second time';
}
