// A person's decision for a process that does not know how to go on: retry, adopt, setState; the fourth is giveUp (end.ts). The
// process keeps who decided and why.
import { z } from 'zod';
import { type Role, roles } from '../../contract/flows/flow-input.ts';
import type { AlsoFollowed } from '../../contract/flows/flow-messages.ts';
import { type StateCode, stateCodes } from '../../contract/wire/states.ts';
import { ownersOf, runningAmong } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import { formatConsequence } from '../format-consequence.ts';
import { shipmentAt } from '../locker-service.ts';
import { CommandError, commandErrorOf, orThrow, refused } from '../outcome.ts';
import { type CommandContext, decisionOf, withDeadline } from '../temporal-context.ts';
import { formatState } from '../views/format-names.ts';
import { progressOf } from '../views/progress.ts';
import { type ProcessCommand, processCommand } from './command.ts';
import { bookingId, oneOf, text } from './read-values.ts';

const ofBooking = z.strictObject({ booking: bookingId });

export const retry: ProcessCommand<z.infer<typeof ofBooking>, null> = processCommand({
  name: 'retry',
  why: 'needed',
  isDecision: true,
  input: ofBooking,
  meaning: 'Does again what a process could not do, or what may have been done without its knowing',
  example: { why: 'the service answers again' },
  forms: {
    'resolve.retry': {
      get label() {
        return t`Try again`;
      },
      get meaning() {
        return t`The case does again what it could not do.`;
      },
    },
  },
  fields: (commandContext, given) => ({ ...given, ...decisionOf(commandContext) }),
  act: (commandContext, key, given) => decided(commandContext, key, { action: 'retry', ...given }),
  formatResult: () => t`it is tried again`,
  warning: 'if the service cannot be asked, retry may book a second time',
  risksOf: async (commandContext, key, given) => {
    const preview = orThrow(await retry.preview(commandContext, key, given));
    return preview?.booking === 'MayBookTwice' ? [formatConsequence(preview)] : [];
  },
});

const shipments = z.partialRecord(z.enum(roles), text);
type Shipments = z.infer<typeof shipments>;

export interface Adopted {
  /** Why the locker service could not be asked whether it has the shipments; null: it was asked. */
  readonly unchecked: string | null;
}

export const adopt = processCommand({
  name: 'adopt',
  isOfOne: true,
  why: 'needed',
  isDecision: true,
  input: z.strictObject({
    shipments: shipments.meta({ description: 'A shipment of the service for each role in the flow' }),
    booking: bookingId,
  }),
  meaning: 'Says which shipments of the service are those of a process',
  example: {
    shipments: { issue: '7c0e5d1c-2f43-4b55-9d3e-0a5d5a1b8f10' },
    why: 'found at the pick up point',
  },
  forms: {
    'resolve.adopt': {
      get label() {
        return t`Say which shipment is which`;
      },
      get meaning() {
        return t`The case goes on with the shipments that you name here, each in the role that you give it. It books nothing. Look at the wall or ask the service first: a shipment of somebody else would be cancelled with this case.`;
      },
    },
  },
  fields: (commandContext, given) => ({ ...given, ...decisionOf(commandContext) }),
  async act(commandContext, key, given): Promise<Adopted> {
    const unchecked = await unknownToService(commandContext, Object.values(given.shipments));
    const held = await heldByOthers(commandContext, key, given.shipments);
    await decided(commandContext, key, { action: 'adopt', ...given });
    // Callbacks find these, and they pass on what they hear.
    for (const [shipmentUid, others] of held)
      for (const other of others)
        await withDeadline(commandContext, () =>
          commandContext.client.workflow
            .getHandle(other)
            .signal('alsoFollowed', { shipmentUid, byWorkflowId: key } satisfies AlsoFollowed),
        );
    return { unchecked };
  },
  formatResult: ({ unchecked }) =>
    unchecked === null
      ? t`it goes on with what was booked`
      : t`it goes on with what was booked; the service could not be asked whether it has this shipment (${unchecked}); run lockerflow compare later`,
  risksOf: async (commandContext, key, given) => {
    const held = await heldByOthers(commandContext, key, given.shipments);
    const ofOthers = [...held].map(([uid, keys]) => t`${uid} is a shipment of ${keys.join(', ')}`);
    return [...ofOthers, ...(await withOtherCases(commandContext, key, given))];
  },
});

export const setState = processCommand({
  name: 'setState',
  why: 'needed',
  isDecision: true,
  input: z.strictObject({
    role: oneOf(roles),
    booking: bookingId,
    stateCode: oneOf(stateCodes),
    evenIfOther: z.boolean().optional().meta({
      description:
        'Also where the locker service has the shipment in another state: what would come after this one does not begin there',
    }),
  }),
  resolveInput: async (commandContext, key, given) => {
    if (!given.evenIfOther) await requireSameAtService(commandContext, key, given);
    return given;
  },
  meaning: 'Says what state a shipment of a process is in',
  example: { role: 'issue', stateCode: 'Completed', why: 'the user showed the item' },
  forms: {
    'resolve.setState': {
      get label() {
        return t`Say what state it is in`;
      },
      get meaning() {
        return t`The case takes this as the state of the shipment, and goes on from there. Nothing changes in the locker service or in the locker: what comes after it there, such as a return, does not begin. Where somebody has put the item in or taken it out, say so by hand instead.`;
      },
    },
  },
  fields: (commandContext, { evenIfOther: _, ...given }) => ({ ...given, ...decisionOf(commandContext) }),
  act: (commandContext, key, { evenIfOther: _, ...given }) =>
    decided(commandContext, key, { action: 'setState', ...given }),
  formatResult: () => t`the state is set`,
});

/** A case that says that all is well, while its item lies in the locker, is worse than one that waits. */
async function requireSameAtService(
  commandContext: CommandContext,
  key: string,
  {
    role,
    booking,
    stateCode,
  }: { readonly role: Role; readonly booking?: string | undefined; readonly stateCode: StateCode },
): Promise<void> {
  const { service } = commandContext;
  if (!service) return;
  const { bookings } = await progressOf(commandContext, key);
  const own = bookings.find(({ id }) => booking === undefined || id === booking);
  const uid = own?.shipments[role]?.shipmentUid;
  // Where it cannot be asked, a person's word is all that there is.
  const found = uid === undefined ? undefined : await shipmentAt(service, uid).catch(() => undefined);
  const there = stateCodes.find((code) => code === found?.stateCode);
  if (there === undefined || there === stateCode) return;
  throw refused(
    'OtherAtService',
    t`the locker service has it as ${formatState(there)}, and what comes after it begins there alone. Where somebody has put the item in or taken it out, say so by hand. Only where the service is wrong, say this all the same`,
  );
}

/** One update of the process takes them all. */
async function decided(
  commandContext: CommandContext,
  key: string,
  {
    booking,
    ...decision
  }: { readonly booking?: string | undefined } & (
    | { readonly action: 'retry' }
    | { readonly action: 'adopt'; readonly shipments: Shipments }
    | { readonly action: 'setState'; readonly role: Role; readonly stateCode: StateCode }
  ),
): Promise<null> {
  const update = { ...decision, ...(booking !== undefined && { booking }), ...decisionOf(commandContext) };
  await withDeadline(commandContext, () => commandContext.flows.handle(key).resolve(update));
  return null;
}

/** The shipments to adopt that other open processes have, with the keys of these: a person should know it before. */
async function heldByOthers(
  { client }: CommandContext,
  key: string,
  adopted: Shipments,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const uids = Object.values(adopted);
  const owners = await ownersOf(client, uids);
  const held = uids.map((uid) => {
    const others = runningAmong(owners.get(uid) ?? []).filter((other) => other !== key);
    return [uid, others] as const;
  });
  return new Map(held.filter(([, others]) => others.length > 0));
}

/** The shipments to adopt that the service has under another case number: another system may have booked them. */
async function withOtherCases(
  commandContext: CommandContext,
  key: string,
  {
    shipments: adopted,
    booking: id,
  }: { readonly shipments: Shipments; readonly booking?: string | undefined },
): Promise<string[]> {
  const { service } = commandContext;
  if (!service) return [];
  const { bookings } = await progressOf(commandContext, key);
  const own = bookings.find((each) => id === undefined || each.id === id)?.caseNo ?? key;
  const others: string[] = [];
  for (const shipmentUid of Object.values(adopted)) {
    const { referenceCaseNo = null } = (await shipmentAt(service, shipmentUid).catch(() => null)) ?? {};
    if (referenceCaseNo !== null && referenceCaseNo !== own)
      others.push(t`${shipmentUid} has the case number ${referenceCaseNo}, and not ${own}`);
  }
  return others;
}

/** Why that could not be checked; null: the service knows them all. Throws CommandError for one that it does not know. */
async function unknownToService(
  { service }: CommandContext,
  shipmentUids: readonly string[],
): Promise<string | null> {
  if (!service) return t`no locker service is configured`;
  try {
    for (const shipmentUid of shipmentUids) {
      if (!(await shipmentAt(service, shipmentUid)))
        throw refused(
          'UnknownShipment',
          t`the service has no shipment ${shipmentUid}; expected one that it has booked`,
        );
    }
    return null;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // The decision is a person's: a service that cannot be asked does not keep a process waiting.
    const refusal = commandErrorOf(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}
