// A person's decision for a process that does not know how to go on: retry, adopt, setState, giveUp. The process keeps who
// decided and why.
import { z } from 'zod';
import { holdersOf, runningAmong } from '../../activities/routing/owners.ts';
import { type Role, roles } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import { type Acting, answered } from '../at-temporal.ts';
import { Refusal, refusalOf } from '../outcome.ts';
import { command, decidedBy, ofOpenProcess } from './command.ts';
import { givenUp } from './give-up.ts';
import { oneOf, text } from './read-values.ts';

const uidOfRole = z.partialRecord(z.enum(roles), text);

export const resolveActions = ['retry', 'adopt', 'setState', 'giveUp'] as const;

const input = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('retry') }),
  z.strictObject({ action: z.literal('adopt'), shipments: uidOfRole }),
  z.strictObject({ action: z.literal('setState'), role: oneOf(roles), stateCode: oneOf(stateCodes) }),
  z.strictObject({ action: z.literal('giveUp') }),
]);
export type ResolveInput = z.infer<typeof input>;
type Input = ResolveInput;

/** What a person should know before the decision is sent. */
export interface Decision {
  readonly action: Resolve['action'];
  /** For retry: whether it may book a second time; null: nobody knows. False for the other actions. */
  readonly mayBookTwice: boolean | null;
  /** For adopt: the shipments that other open processes have, and by whom they are held. */
  readonly heldByOthers: Readonly<Record<string, readonly string[]>>;
  /** For adopt: why the locker service could not be asked whether it has the shipments; null: it was asked, or need not be. */
  readonly unchecked: string | null;
}

export const resolve = command({
  ...{ name: 'resolve', right: 'decide', why: 'needed', input },
  flowOf: ofOpenProcess,
  preview: previewed,
  async act(acting, key: string, given: Input): Promise<Decision> {
    const { action } = given;
    const unchecked = action === 'adopt' ? await unknownToService(acting, uidsIn(given.shipments)) : null;
    const handle = acting.flows.handle(key);
    if (action === 'giveUp') await givenUp(acting, key);
    else await answered(acting, () => handle.resolve({ ...given, ...decidedBy(acting) }));
    return { action, unchecked, mayBookTwice: false, heldByOthers: {} };
  },
  would: (decision) => [decision.action, ...warningsOf(decision)].join('; '),
  did: ({ action, unchecked }) => [`${action} is done`, ...uncheckedWords(unchecked)].join('; '),
});

async function previewed(acting: Acting, key: string, given: Input): Promise<Decision> {
  const { action } = given;
  const nothing = { action, mayBookTwice: false, heldByOthers: {}, unchecked: null };
  if (action === 'retry') return { ...nothing, mayBookTwice: await mayBookTwice(acting, key) };
  if (action !== 'adopt') return nothing;
  const uids = uidsIn(given.shipments);
  const unchecked = await unknownToService(acting, uids);
  const holders = await holdersOf(acting.client, uids);
  const held = uids.flatMap((uid) => {
    const others = runningAmong(holders.get(uid) ?? []).filter((other) => other !== key);
    return others.length === 0 ? [] : [[uid, others] as const];
  });
  return { ...nothing, unchecked, heldByOthers: Object.fromEntries(held) };
}

/** What should make a person think twice, each in words; none: nothing. */
export const warningsOf = ({ mayBookTwice, heldByOthers }: Decision): string[] => [
  ...(mayBookTwice === false ? [] : [riskWords(mayBookTwice)]),
  ...Object.entries(heldByOthers).map(([uid, keys]) => `${uid} is a shipment of ${keys.join(', ')}`),
];

export const riskWords = (mayBookTwice: true | null): string =>
  mayBookTwice
    ? 'the service cannot be asked whether the booking was made, so retry may book a second time'
    : 'perhaps the service cannot be asked whether the booking was made; then retry may book a second time';

const uncheckedWords = (unchecked: string | null): string[] =>
  unchecked === null
    ? []
    : [`the service could not be asked whether it has this shipment (${unchecked}); compare later`];

const uidsIn = (shipments: Partial<Record<Role, string>>): string[] => Object.values(shipments);

async function mayBookTwice(acting: Acting, key: string): Promise<boolean | null> {
  const { doubt } = await answered(acting, () => acting.flows.handle<'Issue'>(key).progress());
  return doubt ? doubt.retryMayBookTwice : false;
}

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
