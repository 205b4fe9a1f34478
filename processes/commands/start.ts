// The command `start`: begins a process.
import { z } from 'zod';
import { KeyNotFree } from '../../client/flow-errors.ts';
import { checkBusinessKey } from '../../contract/flows/internal-ids.ts';
import { t } from '../../shared/texts/text.ts';
import { attributionOf, type CommandContext } from '../temporal-context.ts';
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
  /** False: a process with this key and input is running, or has ended. */
  readonly isNew: boolean;
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
    return { flow, workflowId, isNew: true };
  },
  async act(commandContext, workflowId, { flow, input: given, ifEnded: how }): Promise<Started> {
    const isRestart =
      how === 'restart' && (await isRestarted(commandContext, workflowId, { flow, input: given }));
    const isNew =
      isRestart ||
      (await commandContext.flows.startOrFind(flow, workflowId, given, attributionOf(commandContext)));
    return { flow, workflowId, isNew };
  },
  formatPreview: ({ flow, workflowId }) => t`${flow} ${workflowId} would be started`,
  formatResult: ({ flow, workflowId, isNew }) =>
    isNew ? t`${flow} ${workflowId} is started` : t`${flow} ${workflowId} is there already`,
});

/** False: one runs. Throws CommandError for one that has ended with a result. */
async function isRestarted(
  commandContext: CommandContext,
  key: string,
  { flow, input: given }: Input,
): Promise<boolean> {
  try {
    const before = await startBefore(commandContext, flow, key);
    await commandContext.flows.startNew(flow, key, given, attributionOf(commandContext), before);
    return true;
  } catch (error) {
    if (!(error instanceof KeyNotFree)) throw error;
    if ((await keyHolderOf(commandContext, key)).kind !== 'completed') return false;
    throw await endedWithResult(commandContext, key);
  }
}
