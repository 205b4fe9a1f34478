// `sandbox`: plays the people at the lockers of a staging service.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { grpcFailureOf, isOutOfTime } from '../../client/grpc-failure.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { LegResult } from '../../contract/flows/flow-result.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { bookingFlows, legsIn, progressOf } from '../../processes/views/progress.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
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
    .option('--booking <id>', 'of which booking, where the process has several')
    .option('--shut', 'shut the door after that, at the simulated wall')
    .addHelpText('after', WALL_SETTINGS)
    .addHelpText('after', SERVICE_SETTINGS)
    .action((workflowId: string, { shut: isShut, ...wanted }: Options, command: Command) =>
      atTemporal(terminal, (temporal) =>
        atLockerService(terminal, async (api) => {
          const { interrupted } = terminal;
          const { key, ...due } = await untilDue(temporal, workflowId, wanted, interrupted);
          const door = isShut ? await doorOf(api, due, interrupted) : null;
          await open(api, due, interrupted);
          const after = await untilReported(temporal, key, due, interrupted);
          report(terminal, command, {
            text: formatStep(due, after),
            data: { workflowId: key, ...due, after },
          });
          if (door) await shut(terminal, door);
        }),
      ),
    );
}

const EXAMPLES = `
Examples:
  lockerflow sandbox open order-1042
  lockerflow sandbox open loan-4711 --role intake --shut
  lockerflow sandbox open kit-7 --booking laptop
${SERVICE_SETTINGS}`;

const WALL_SETTINGS = `
At a pick up point with a wall the door stays open until somebody shuts it, and nobody gets the locker until then: --shut
shuts it at the simulated wall of WALL_URL, or else of npm start (http://127.0.0.1:8089, or its WALL_PORT).
Without a wall no door stays open.`;

/** Which shipment. */
interface Wanted {
  readonly role?: string;
  readonly booking?: string;
}

interface Options extends Wanted {
  readonly shut?: true;
}

const steps = {
  ReadyForDropoff: 'dropOff',
  ReadyForPickup: 'pickUp',
} as const;

interface Due extends LegResult {
  readonly role: string;
  /** Null where the process has but one. */
  readonly booking: string | null;
  readonly step: 'dropOff' | 'pickUp';
}

// The longest time of a booking and its callbacks in a staging service; a person waits for it.
const BOOKED_WITHIN_MS = 10_000;
const REPORTED_WITHIN_MS = 10_000;
const POLL_MS = 100;

/** Waits for a flow that was just started, because it books first. A process of a flow file may have begun several. */
async function untilDue(
  temporal: TemporalContext,
  key: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Due & { readonly key: string }> {
  for (let leftMs = BOOKED_WITHIN_MS; ; leftMs -= POLL_MS) {
    // Fails if no flow has that key or no worker answers.
    const flows = await bookingFlows(temporal, key);
    const [due, ...others] = flows.flatMap((flow) =>
      dueIn(flow.progress, wanted).map((each) => ({ key: flow.key, ...each })),
    );
    if (due && others.length === 0) return due;
    if (due) {
      const all = [due, ...others];
      const named = all.map((each) => [each.role, each.booking, each.key].filter(Boolean).join(' of '));
      const flag = all.some(({ booking }) => booking !== null) ? '--role and --booking' : '--role';
      throw new CommandFailed(
        'wrongUse',
        `several shipments are due (${named.join(', ')}); name the flow of one, and say with ${flag} which one`,
      );
    }
    // No other step can become possible without another person or another flow, so it does not wait.
    const isBooking = flows.some(({ progress }) =>
      progress.bookings.some(({ activity }) => activity === 'Booking'),
    );
    if (leftMs <= 0 || !isBooking) throw nothingDue(key, wanted, flows);
    await pause(POLL_MS, undefined, { signal });
  }
}

function dueIn(progress: ProcessProgress, { role, booking }: Wanted): Due[] {
  const isOneOfSeveral = progress.bookings.length > 1;
  return legsIn(progress).flatMap(({ role: name, booking: { id }, shipment, isDone }) => {
    if (booking !== undefined && booking !== id) return [];
    // The flow does not wait for a leg that is done, but a person may still take the item if the command asks for it.
    if (role === undefined ? isDone : role !== name) return [];
    const step = steps[shipment.stateCode as keyof typeof steps];
    return step ? [{ role: name, booking: isOneOfSeveral ? id : null, step, ...shipment }] : [];
  });
}

function nothingDue(
  key: string,
  { role, booking }: Wanted,
  flows: readonly { readonly progress: ProcessProgress }[],
): CommandFailed {
  if (flows.length === 0)
    return new CommandFailed(
      'wrongUse',
      `${key} has no shipments of its own; expected a flow that books lockers: lockerflow list names those that it has begun`,
    );
  const ids = flows.flatMap(({ progress }) => progress.bookings.map(({ id }) => id));
  if (booking !== undefined && !ids.includes(booking))
    return new CommandFailed(
      'wrongUse',
      `--booking ${booking}: no booking of ${key}; expected one of ${ids.join(', ')}`,
    );
  const legs = flows
    .flatMap(({ progress }) => legsIn(progress))
    .filter((leg) => booking === undefined || leg.booking.id === booking);
  if (role !== undefined && legs.length > 0 && legs.every((leg) => leg.role !== role))
    return new CommandFailed(
      'wrongUse',
      `--role ${role}: no shipment of ${key}; expected one of ${legs.map((leg) => leg.role).join(', ')}`,
    );
  const states = legs.map((leg) => `${leg.role} ${leg.shipment.stateCode ?? 'Unknown'}`);
  const activities = flows.flatMap(({ progress }) => progress.bookings.map(({ activity }) => activity));
  const stand = [...activities, ...states].join(', ');
  const of = [role, booking, key].filter(Boolean).join(' of ');
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

interface Door {
  readonly pupUid: string | null;
  readonly lockerUid: string | null;
}

/** Asked before it opens: after a pick-up the shipment has no locker. */
const doorOf = (api: LockerApi, { shipmentUid }: Due, signal: AbortSignal): Promise<Door> =>
  api.call('GetShipment', { shipmentUid }, { signal });

const SHUT_WITHIN_MS = 5_000;

/** As a person pushes it. */
async function shut({ variables, interrupted }: Terminal, { pupUid, lockerUid }: Door): Promise<void> {
  const wall = variables.WALL_URL || `http://127.0.0.1:${variables.WALL_PORT || '8089'}`;
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lockerUid }),
    signal: AbortSignal.any([interrupted, AbortSignal.timeout(SHUT_WITHIN_MS)]),
  };
  const failed = (why: string, options?: ErrorOptions) =>
    new CommandFailed(
      'failed',
      `the door is open, and was not shut at ${wall}: ${why}; check WALL_URL`,
      options,
    );
  const answer = await fetch(
    new URL(`/walls/${encodeURIComponent(pupUid ?? '')}/close`, wall),
    request,
  ).catch((cause: Error) => {
    throw failed(cause.cause instanceof Error ? cause.cause.message : cause.message, { cause });
  });
  if (answer.status === 404)
    throw new CommandFailed(
      'failed',
      `no door was shut: ${wall} simulates no wall of ${pupUid}. If that is at another address, set WALL_URL; without a wall no door stays open, so leave out --shut`,
    );
  if (!answer.ok) throw failed(`it answers ${answer.status} ${await answer.text()}`);
}

/** Null: no callback came in time. */
async function untilReported(
  temporal: TemporalContext,
  key: string,
  { shipmentUid, stateCode }: Due,
  signal: AbortSignal,
): Promise<ProcessProgress | null> {
  const endsAt = Date.now() + REPORTED_WITHIN_MS;
  for (let leftMs = REPORTED_WITHIN_MS; leftMs > 0; leftMs = endsAt - Date.now()) {
    // Without a worker nobody answers: then it has not heard of it either.
    const progress = await progressOf(temporal, key, leftMs).catch((error: unknown) => {
      const failure = grpcFailureOf(error);
      if (failure && isOutOfTime(failure)) return null;
      throw error;
    });
    if (!progress) return null;
    const leg = legsIn(progress).find(({ shipment }) => shipment.shipmentUid === shipmentUid);
    if (leg?.shipment.stateCode !== stateCode) return progress;
    await pause(POLL_MS, undefined, { signal });
  }
  return null;
}

function formatStep(
  { role, booking, step, lockerName, pupUid }: Due,
  after: ProcessProgress | null,
): string[] {
  const where = lockerName && pupUid ? ` at locker ${lockerName} of ${pupUid}` : '';
  const first = `${[role, booking].filter(Boolean).join(' of ')}: ${step === 'dropOff' ? 'dropped off' : 'picked up'}${where}`;
  if (!after)
    return [
      first,
      `the flow has not heard of it within ${REPORTED_WITHIN_MS / 1_000} s: check that the receiver runs, and set its address: lockerflow callback-address`,
    ];
  const states = legsIn(after).map((leg) => `${leg.role} ${leg.shipment.stateCode ?? 'Unknown'}`);
  const next =
    after.activity === 'Ended' ? 'ended' : after.waitingFor[0] && `waiting for ${after.waitingFor[0].words}`;
  return [first, [states.join(', '), next].filter(Boolean).join('; ')];
}
