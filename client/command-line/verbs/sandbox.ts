// `sandbox`: plays the people at the lockers of a staging service.
import type { Command } from 'commander';
import type { LegResult, Progress } from '../../../contract/flows/flow-answers.ts';
import { type AnyProgress, bookingFlows } from '../../../processes/views/progress.ts';
import type { LockerApi } from '../../../shared/locker-api/index.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { plain, report, type Terminal } from '../../../shared/terminal/terminal.ts';
import type { FlowHandle } from '../../flow-handle.ts';
import { atLockerService, atTemporal, SERVICE_SETTINGS } from '../temporal.ts';

export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program
    .command('sandbox')
    .description('play the people at the lockers of a staging service')
    .addHelpText('after', EXAMPLES);
  sandbox
    .command('open')
    .description('open the locker of a flow with the access code, and drop off or pick up, whichever is due')
    .argument('<key>', "the flow's business key")
    .option('--role <role>', 'the shipment, where more than one is due')
    .addHelpText('after', SERVICE_SETTINGS)
    .action((workflowId: string, { role }: { role?: string }, command: Command) =>
      atTemporal(terminal, (temporal) =>
        atLockerService(terminal, async (api) => {
          // First, because it fails if no flow has that key or no worker answers.
          const flows = await bookingFlows(temporal, workflowId);
          if (flows.length === 0) throw hasNoShipments(workflowId);
          const { handle, due } = await oneDue(
            flows.map(({ key }) => temporal.flows.handle(key)),
            role,
            terminal.interrupted,
          );
          await open(api, due, terminal.interrupted);
          const after = await untilHeard(handle, due, terminal.interrupted);
          report(terminal, command, {
            words: words(due, after),
            data: { workflowId: handle.workflowId, ...due, after },
          });
        }),
      ),
    );
}

const EXAMPLES = `
Examples:
  lockerflow sandbox open order-1042
  lockerflow sandbox open loan-4711 --role intake
${SERVICE_SETTINGS}`;

const steps = {
  ReadyForDropoff: 'dropOff',
  ReadyForPickup: 'pickUp',
} as const;

interface Due extends LegResult {
  readonly role: string;
  readonly step: 'dropOff' | 'pickUp';
}

// The longest time of a booking and its callbacks in a staging service; a person waits for it.
const BOOKED_WITHIN_MS = 10_000;
const HEARD_WITHIN_MS = 10_000;
const POLL_MS = 100;

type Followed = Pick<FlowHandle<unknown, AnyProgress>, 'workflowId' | 'follow'>;

/** The flow where somebody is expected at the locker. A process of a flow file may have begun several. */
async function oneDue(handles: readonly Followed[], role: string | undefined, interrupted: AbortSignal) {
  const looked = await Promise.allSettled(
    handles.map(async (handle) => ({ handle, due: await untilDue(handle, role, interrupted) })),
  );
  const found = looked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const keys = found.map(({ handle: { workflowId } }) => workflowId).join(', ');
    throw new CommandFailed('wrongUse', `somebody is expected for several flows; name one of them: ${keys}`);
  }
  throw looked.find((each) => each.status === 'rejected')?.reason;
}

/** Waits for a flow that was just started, because it books first. */
async function untilDue(handle: Followed, role: string | undefined, interrupted: AbortSignal): Promise<Due> {
  const last = await followed(handle, BOOKED_WITHIN_MS, interrupted, (progress) => {
    // No step can become possible without another person or another flow, so it does not wait.
    if (!('shipments' in progress)) throw hasNoShipments(handle.workflowId);
    const roles = Object.keys(progress.shipments);
    if (role !== undefined && progress.activity === 'Following' && !roles.includes(role))
      throw new CommandFailed(
        'wrongUse',
        `--role ${role}: no shipment of ${handle.workflowId}; expected one of ${roles.join(', ')}`,
      );
    return progress.activity !== 'Booking';
  });
  if (!last || !('shipments' in last)) throw nothingDue(handle.workflowId, role, last);
  const [due, ...others] = dueIn(last, role);
  if (!due) throw nothingDue(handle.workflowId, role, last);
  if (others.length === 0) return due;
  const roles = [due, ...others].map((each) => each.role).join(', ');
  throw new CommandFailed('wrongUse', `more than one shipment is due (${roles}); say which one with --role`);
}

function dueIn({ shipments }: Progress, role: string | undefined): Due[] {
  return Object.entries(shipments).flatMap(([name, { done, ...leg }]) => {
    // The flow does not wait for a leg that is done, but a person may still take the item if the command asks for it.
    if (role === undefined ? done : role !== name) return [];
    const step = steps[leg.stateCode as keyof typeof steps];
    return step ? [{ role: name, step, ...leg }] : [];
  });
}

/** The first matching progress, or the last one when the flow or the time ends. */
async function followed(
  handle: Followed,
  withinMs: number,
  interrupted: AbortSignal,
  isAsWanted: (progress: AnyProgress) => boolean,
): Promise<AnyProgress | null> {
  const patience = AbortSignal.timeout(withinMs);
  let last: AnyProgress | null = null;
  try {
    for await (last of handle.follow({
      everyMs: POLL_MS,
      signal: AbortSignal.any([patience, interrupted]),
    }))
      if (isAsWanted(last)) return last;
  } catch (error) {
    if (interrupted.aborted || !patience.aborted) throw error;
  }
  return last;
}

const hasNoShipments = (key: string) =>
  new CommandFailed(
    'wrongUse',
    `${key} has no shipments of its own; expected a flow that books lockers: lockerflow list names those that it has begun`,
  );

function nothingDue(key: string, role: string | undefined, last: AnyProgress | null): CommandFailed {
  const shipments = last && 'shipments' in last ? last.shipments : {};
  const states = Object.entries(shipments).map(
    ([name, { stateCode }]) => `${name} ${stateCode ?? 'Unknown'}`,
  );
  const stand = [last?.activity ?? 'Booking', ...states].join(', ');
  const of = role === undefined ? key : `${role} of ${key}`;
  return new CommandFailed(
    'failed',
    `nobody is expected at the locker for ${of} (${stand}); expected ReadyForDropoff or ReadyForPickup`,
  );
}

async function open(api: LockerApi, { shipmentUid, step }: Due, signal: AbortSignal): Promise<void> {
  const { items } = await api.call('GetShipments', { shipmentUid, pageNo: 1, pageSize: 1 }, { signal });
  const [shipment] = items;
  const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { signal });
  const pinCode = step === 'dropOff' ? codes.deliveryCode : codes.pickUpCode;
  if (!shipment?.pupUid || !shipment.lockerName || !pinCode)
    throw new CommandFailed(
      'failed',
      `the service gave no locker or no access code of shipment ${shipmentUid}; expected both while it waits for a person`,
    );
  const { pupUid, lockerName } = shipment;
  await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode }, { signal });
}

/** Null: no callback came in time. */
async function untilHeard(
  handle: Followed,
  { role, stateCode }: Due,
  interrupted: AbortSignal,
): Promise<Progress | null> {
  const hasMoved = (progress: AnyProgress) =>
    'shipments' in progress &&
    Object.entries(progress.shipments).some(([name, leg]) => name === role && leg.stateCode !== stateCode);
  const last = await followed(handle, HEARD_WITHIN_MS, interrupted, hasMoved);
  return last && 'shipments' in last && hasMoved(last) ? last : null;
}

function words({ role, step, lockerName, pupUid }: Due, after: Progress | null): string {
  const where = lockerName && pupUid ? ` at locker ${lockerName} of ${pupUid}` : '';
  const first = `${role}: ${step === 'dropOff' ? 'dropped off' : 'picked up'}${where}`;
  if (!after)
    return [
      plain(first),
      `the flow has not heard of it within ${HEARD_WITHIN_MS / 1_000} s: check that the receiver runs, and set its address: lockerflow callback-address`,
    ].join('\n');
  const states = Object.entries(after.shipments).map(
    ([name, leg]) => `${name} ${leg.stateCode ?? 'Unknown'}`,
  );
  const next = after.activity === 'Ended' ? 'ended' : after.awaits[0] && `awaits ${after.awaits[0].words}`;
  return [first, [states.join(', '), next].filter(Boolean).join('; ')].map(plain).join('\n');
}
