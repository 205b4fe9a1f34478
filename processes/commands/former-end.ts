// The end that a deadline has again once its move is undone, for whoever undoes it without saying what it was before: else the
// process would keep that there was none.
import type { ActionRequest } from '../../contract/flows/actions.ts';
import { validationOf } from '../actions.ts';
import type { TemporalContext } from '../temporal-context.ts';

/** Null: there is none again, or it cannot be undone, which the process says itself. */
export async function formerEnd(
  temporal: Pick<TemporalContext, 'client'>,
  owner: string,
  fields: NonNullable<ActionRequest['fields']>,
): Promise<string | null> {
  const validation = await validationOf(temporal, owner, { command: 'extendDeadline', fields });
  return validation.consequence?.deadlines[0]?.until ?? null;
}
