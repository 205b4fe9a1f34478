// What people can do to callbacks without a flow: claim them for a process, or drop them.
import type { Consequence } from '../contract/flows/actions.ts';
import type { UnmatchedInput } from '../contract/flows/unmatched-callback.ts';
import {
  type Command,
  type CommandFields,
  notPossible,
  objectOf,
  type Rejection,
  textField,
  WHO_AND_WHY,
} from '../engine/commands.ts';

export function unmatchedCommands(input: UnmatchedInput): Command[] {
  const { by, why } = WHO_AND_WHY;
  const workflowId = textField('The key of the process that is to get the reports');
  const ended = (outcome: 'Claimed' | 'Dropped'): Consequence => ({
    after: {
      activity: 'Ended',
      phase: null,
      state: outcome,
      ends: { status: 'Completed' },
    },
    isTaken: true,
    shipments: [],
    itemsLeft: [],
    itemsOut: [],
    deadlines: [],
    children: [],
    event: null,
    questions: [],
    calls: [],
  });
  return [
    {
      command: 'claim',
      sent: { kind: 'update', name: 'claim' },
      fields: objectOf({ workflowId, by, why }, ['workflowId', 'by', 'why']),
      refusal: (fields) => claimRefusal(input, fields),
      consequence: () => ended('Claimed'),
    },
    {
      command: 'drop',
      sent: { kind: 'update', name: 'drop' },
      fields: objectOf({ by, why }, ['by', 'why']),
      refusal: (fields) => dropRefusal(fields),
      consequence: () => ended('Dropped'),
    },
  ];
}

/** Without fields: why nobody can claim it. */
export function claimRefusal({ kind }: UnmatchedInput, fields?: CommandFields): Rejection | undefined {
  if (kind === 'shipment') return fieldsRefusal(fields, ['workflowId', 'by', 'why']);
  return notPossible('only reports of a shipment can be given to a flow');
}

/** Why nobody can drop it so. */
export const dropRefusal = (fields?: CommandFields): Rejection | undefined =>
  fieldsRefusal(fields, ['by', 'why']);

function fieldsRefusal(fields: CommandFields | undefined, names: readonly string[]): Rejection | undefined {
  const missing = fields
    ? names.filter((name) => typeof fields[name] !== 'string' || fields[name] === '')
    : [];
  if (missing.length === 0) return undefined;
  return { code: 'InvalidRequest', message: `expected ${missing.join(', ')} as a text` };
}
