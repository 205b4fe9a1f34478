// The command `start`: begins a process.
import { z } from 'zod';
import type { InputOf } from '../../client/flow-contract.ts';
import { KeyNotFree } from '../../client/flow-errors.ts';
import type { FlowFileStart } from '../../client/flow-files/flow-file-handle.ts';
import { type FlowType, isBuiltIn } from '../../contract/flows/flow-types.ts';
import { checkBusinessKey } from '../../contract/flows/internal-ids.ts';
import { t } from '../../shared/texts/text.ts';
import { type Acting, attributionOf } from '../at-temporal.ts';
import { ifEnded } from '../views/process-fields.ts';
import { command } from './command.ts';
import { endedWithResult, keyHolderOf } from './key-holder.ts';
import { text } from './read-values.ts';
import { startBefore } from './start-before.ts';

const input = z.strictObject({
  flow: text,
  /** The one argument of the flow: request, deadlines and so on. The flow's contract checks it, field by field. */
  input: z.record(z.string(), z.unknown()),
  ifEnded: ifEnded.optional(),
});
type Input = z.infer<typeof input>;

export interface Started {
  readonly flow: string;
  readonly workflowId: string;
}

// The contract has a type for the whole input of each built-in flow; the schema of a file is about its request alone.
/** The target is the business key of the new process. */
export const start = command({
  name: 'start',
  right: 'start',
  why: 'optional',
  input,
  flowOf: async (_acting, _key: string, { flow }: Input) => flow,
  async preview({ flows }, workflowId, { flow, input: given }): Promise<Started> {
    checkBusinessKey(workflowId);
    await flows.checkAny(flow, given);
    return { flow, workflowId };
  },
  async act(acting, workflowId, { flow, input: given, ifEnded: how }): Promise<Started> {
    const { flows } = acting;
    const who = attributionOf(acting);
    if (how === 'restart' && (await isRestarted(acting, workflowId, { flow, input: given })))
      return { flow, workflowId };
    if (isBuiltIn(flow)) await flows.start(flow, workflowId, given as unknown as InputOf<FlowType>, who);
    else await flows.startPublished(flow, workflowId, given as FlowFileStart, who);
    return { flow, workflowId };
  },
  formatPreview: ({ flow, workflowId }) => t`${flow} ${workflowId} would be started`,
  formatResult: ({ flow, workflowId }) => t`${flow} ${workflowId} is started`,
});

/** False: one runs. Throws CommandError for one that has ended with a result. */
async function isRestarted(acting: Acting, key: string, { flow, input: given }: Input): Promise<boolean> {
  try {
    const before = await startBefore(acting, flow, key);
    await acting.flows.startNew(flow, key, given, attributionOf(acting), before);
    return true;
  } catch (error) {
    if (!(error instanceof KeyNotFree)) throw error;
    if ((await keyHolderOf(acting, key)).kind !== 'completed') return false;
    throw await endedWithResult(acting, key);
  }
}
