// Whether a business key is taken, and by what; and one like it that is free.
import { WorkflowNotFoundError } from '@temporalio/client';
import { attributionIn, formatAttribution } from '../../contract/flows/attribution.ts';
import { t } from '../../shared/texts/text.ts';
import { type CommandError, refused } from '../outcome.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { statusNamed } from '../views/process-fields.ts';

export type KeyHolder =
  /** Nothing has it, or what has ended without a result. */
  | { readonly kind: 'none' }
  /** `by`: who has started it; null: it does not say. */
  | { readonly kind: 'running'; readonly by: string | null }
  | { readonly kind: 'completed' };

export async function keyHolderOf(temporal: TemporalContext, key: string): Promise<KeyHolder> {
  try {
    const { status, memo } = await callTemporal(temporal, () =>
      temporal.client.workflow.getHandle(key).describe(),
    );
    const name = statusNamed(status.name);
    if (name === 'Completed') return { kind: 'completed' };
    if (name !== 'Running') return { kind: 'none' };
    const who = attributionIn(memo?.who);
    return { kind: 'running', by: who && formatAttribution(who) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'none' };
    throw error;
  }
}

/** Whoever has started it so often has numbers of their own. */
const MAX_TRIED = 20;

/** `order-7-2` for order-7, or the next number that nothing has. */
async function freeKeyLike(temporal: TemporalContext, key: string): Promise<string> {
  for (let number = 2; number < MAX_TRIED; number++) {
    const proposed = `${key}-${number}`;
    if ((await keyHolderOf(temporal, proposed)).kind === 'none') return proposed;
  }
  return `${key}-${MAX_TRIED}`;
}

export async function endedWithResult(temporal: TemporalContext, key: string): Promise<CommandError> {
  const proposed = await freeKeyLike(temporal, key);
  return refused(
    'EndedWithResult',
    t`${key} has ended with a result, and keeps its key: give a new one, such as ${proposed}`,
  );
}
