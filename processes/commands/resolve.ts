// A person's decision for a process that does not know how to go on: retry, adopt, setState, giveUp. The process keeps who decided
// and why.
import { z } from 'zod';
import { holdersOf, runningAmong } from '../../activities/routing/owners.ts';
import { type Role, roles } from '../../contract/flows/flow-input.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import { type Acting, answered, decisionOf } from '../at-temporal.ts';
import { Refusal, refusalOf } from '../outcome.ts';
import { processCommand } from './command.ts';
import { givenUp } from './give-up.ts';
import { oneOf, text } from './read-values.ts';

export const resolveActions = ['retry', 'adopt', 'setState', 'giveUp'] as const;

const input = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('retry') }),
  z.strictObject({ action: z.literal('adopt'), shipments: z.partialRecord(z.enum(roles), text) }),
  z.strictObject({ action: z.literal('setState'), role: oneOf(roles), stateCode: oneOf(stateCodes) }),
  z.strictObject({ action: z.literal('giveUp') }),
]);
type ResolveInput = z.infer<typeof input>;

export interface Resolved {
  readonly action: ResolveInput['action'];
  /** For adopt: why the locker service could not be asked whether it has the shipments; null: it was asked, or need not be. */
  readonly unchecked: string | null;
}

export const resolve = processCommand({
  ...{ name: 'resolve', why: 'needed', input },
  meaning:
    'Decides for a process that does not know how to continue. retry: do again what is in doubt. adopt: these are its shipments. setState: this is the state of the shipment. giveUp: end without it',
  example: { action: 'retry', why: 'the service answers again' },
  forms: {
    'resolve.retry': { label: 'Try again', meaning: 'The process does again what it could not do.' },
    'resolve.adopt': {
      label: 'Say which shipment is which',
      meaning:
        'The process goes on with the shipments that you name here, each in the role that you give it. It books nothing. Look at the wall or ask the service first: a shipment of somebody else would be cancelled with this process.',
    },
    'resolve.setState': {
      label: 'Say what state it is in',
      meaning:
        'The process takes this as the state of the shipment, and goes on from there. Nothing changes in the locker service or in the locker.',
    },
  },
  asked: ({ action }) => (action === 'giveUp' ? ['resolve.giveUp', 'giveUp'] : [`resolve.${action}`]),
  fields: (acting, { action: _, ...given }) => ({ ...given, ...decisionOf(acting) }),
  async act(acting, key, given): Promise<Resolved> {
    const { action } = given;
    const unchecked = action === 'adopt' ? await unknownToService(acting, uidsIn(given.shipments)) : null;
    const handle = acting.flows.handle(key);
    if (action === 'giveUp') await givenUp(acting, key);
    else await answered(acting, () => handle.resolve({ ...given, ...decisionOf(acting) }));
    return { action, unchecked };
  },
  did: ({ action, unchecked }) =>
    unchecked === null
      ? `${action} is done`
      : `${action} is done; the service could not be asked whether it has this shipment (${unchecked})`,
});

/** The shipments to adopt that other open processes have, with the keys of these: a person should know it before. */
export async function heldByOthers(
  { client }: Acting,
  key: string,
  shipments: Partial<Record<Role, string>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const uids = uidsIn(shipments);
  const holders = await holdersOf(client, uids);
  const held = uids.map((uid) => {
    const others = runningAmong(holders.get(uid) ?? []).filter((other) => other !== key);
    return [uid, others] as const;
  });
  return new Map(held.filter(([, others]) => others.length > 0));
}

const uidsIn = (shipments: Partial<Record<Role, string>>): string[] => Object.values(shipments);

/** Why that could not be checked; null: the service knows them all. Throws Refusal for one that it does not know. */
async function unknownToService(
  { service }: Acting,
  shipmentUids: readonly string[],
): Promise<string | null> {
  if (!service) return 'no locker service is configured';
  try {
    for (const shipmentUid of shipmentUids) {
      const { items } = await service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
      if (!items.some((each) => each.shipmentUid === shipmentUid))
        throw new Refusal(
          'refused',
          'UnknownShipment',
          `the service has no shipment ${shipmentUid}; expected one that it has booked`,
        );
    }
    return null;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The decision is a person's: a service that cannot be asked does not keep a process waiting.
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}
