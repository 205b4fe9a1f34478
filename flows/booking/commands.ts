// What people can do to a shipment flow now, and what follows, as data. Whether a command is possible says the flow itself, as it
// does for the update; what follows says a copy of the process, which takes the command.

import type {
  CommandName,
  Consequence,
  DeadlineMove,
  FieldsSchema,
  JsonSchema,
  ShipmentEffect,
  ShipmentEffectKind,
} from '../../contract/flows/actions.ts';
import type { DeadlineProgress } from '../../contract/flows/flow-answers.ts';
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import { chartStateCodes } from '../../contract/machines/chart.ts';
import {
  type Command,
  type CommandFields,
  cancelCommand,
  newEndFields,
  notPossible,
  objectOf,
  oneNewEnd,
  type Refusal,
  textField,
  WHO_AND_WHY,
} from '../../engine/commands.ts';
import { type CopiedCall, ProcessCopy } from '../../engine/copy.ts';
import { nobody } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import { endOf } from '../../engine/process-view.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { ChangeReceiverInput, UndoInput, Undone } from './activities.ts';
import { doubtOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import {
  type FlowContext,
  isInactive,
  type KnownShipment,
  requestField,
  shipmentOf,
  stateOf,
} from './known.ts';
import { itemsLeft } from './settlement.ts';
import { activities, deadlinesOf, type FlowView } from './view.ts';

/** @param snapshotIn the booking in a process: in this one, or in a copy of it */
export function bookingCommands(
  id: string,
  process: Process,
  snapshotIn: (process: Process) => BookingSnapshot,
): Command[] {
  const viewIn = (each: Process) => snapshotIn(each).view;
  const { flow, view } = snapshotIn(process);
  const isWhole = snapshotIn(process).isWhole;
  const here: Here = { flow, process, viewIn, view, booking: isWhole ? {} : { booking: id } };
  const commands = [
    extendDeadline(here),
    receiverCommand(here, 'setReceiver', {
      toUserUid: textField('The userUid of the receiver', UID_LENGTH),
      caseReferenceNew: textField('The new case number; not given: it stays'),
    }),
    receiverCommand(here, 'removeReceiver', {}),
    ...resolveCommands(here),
  ].map((command) => ({ ...command, ...here.booking }));
  if (!isWhole) return commands;
  return [
    ...commands,
    cancelCommand(process, () => consequence(here, (copied) => copied.cancel('cancelled'))),
  ];
}

interface Here {
  readonly flow: Declaration;
  readonly process: Process;
  readonly view: FlowView;
  readonly viewIn: (process: Process) => FlowView;
  /** What says which one is meant, where a process may have several. */
  readonly booking: { readonly booking?: string };
}

const UID_LENGTH = 200;

// Possible at any time: whether the fields before it are, is the question.
const A_WEEK = 'P7D';
const SOMEBODY = { by: 'somebody', why: 'a reason' };

/** The refusals of all candidates, if none of them is possible. */
function refusalOfAll(refusals: readonly (Refusal | undefined)[], none: string): Refusal | undefined {
  if (refusals.some((refusal) => refusal === undefined)) return undefined;
  const [first] = refusals;
  if (!first) return notPossible(none);
  const messages = [...new Set(refusals.flatMap((refusal) => refusal?.message ?? []))];
  return { ...first, message: messages.join('; ') };
}

function extendDeadline(here: Here): Command {
  const { flow } = here;
  const all = rolesOf(flow).flatMap((role) => legOf(flow, role).deadlines.map((stage) => ({ role, stage })));
  const refusal = (fields: CommandFields) => refusalOf(here, 'extendDeadline', fields);
  const refusals = all.map((pair) => refusal({ ...pair, fromNow: A_WEEK }));
  const possible = all.filter((_, index) => refusals[index] === undefined);
  return {
    command: 'extendDeadline' satisfies CommandName,
    sent: sentTo(here, 'extendDeadline'),
    fields: possible.length === 0 ? null : extensionFields(possible),
    refusal: (fields) => (fields ? refusal(fields) : refusalOfAll(refusals, `${flow.name} has no deadlines`)),
    takes: ({ timer }) => timer === undefined,
    consequence: (fields) => fields && consequence(here, updating(here, 'extendDeadline', fields)),
  };
}

type StageOfRole = { readonly role: Role; readonly stage: Stage };

function extensionFields(possible: readonly StageOfRole[]): FieldsSchema {
  const roles = [...new Set(possible.map(({ role }) => role))];
  const stagesOf = (role: Role) => possible.filter((each) => each.role === role).map(({ stage }) => stage);
  const stages = [...new Set(possible.map(({ stage }) => stage))];
  return {
    ...objectOf(
      {
        role: { type: 'string', enum: roles },
        stage: { type: 'string', enum: stages },
        ...newEndFields,
      },
      ['role', 'stage'],
    ),
    allOf: [
      oneNewEnd,
      {
        oneOf: roles.map((role) => ({
          properties: { role: { const: role }, stage: { enum: stagesOf(role) } },
        })),
      },
    ],
  };
}

function receiverCommand(
  here: Here,
  command: 'setReceiver' | 'removeReceiver',
  others: Readonly<Record<string, JsonSchema>>,
): Command {
  const { flow } = here;
  const refusal = (fields: CommandFields) => refusalOf(here, command, fields);
  const refusals = rolesOf(flow).map((role) => refusal({ role, toUserUid: 'somebody' }));
  const possible = rolesOf(flow).filter((_, index) => refusals[index] === undefined);
  const required = command === 'setReceiver' ? ['role', 'toUserUid'] : ['role'];
  return {
    command,
    sent: sentTo(here, command),
    fields:
      possible.length === 0
        ? null
        : objectOf({ role: { type: 'string', enum: possible }, ...others }, required),
    refusal: (fields) => (fields ? refusal(fields) : refusalOfAll(refusals, `${flow.name} has no legs`)),
    consequence: (fields) => fields && consequence(here, updating(here, command, fields)),
  };
}

const sentTo = ({ booking }: Here, name: string, constant: CommandFields = {}): Command['sent'] => {
  const all = { ...constant, ...booking };
  return { kind: 'update', name, ...(Object.keys(all).length > 0 && { constant: all }) };
};

const refusalOf = ({ process, booking }: Here, type: string, fields: CommandFields): Refusal | undefined =>
  process.updateRefusal(type, { ...fields, ...booking });

type Resolving = Resolve['action'];

function resolveCommands(here: Here): Command[] {
  const { flow, view } = here;
  const command = (
    action: Resolving,
    candidates: readonly CommandFields[],
    fields: Readonly<Record<string, JsonSchema>>,
  ): Command => {
    const refusal = (given: CommandFields) => refusalOf(here, 'resolve', { ...given, action });
    const refusals = candidates.map((each) => refusal({ ...each, ...SOMEBODY }));
    const isPossible = refusals.includes(undefined);
    const required = [...Object.keys(fields), 'by', 'why'];
    const isAlike = Object.keys(fields).length === 0;
    return {
      command: `resolve.${action}` satisfies CommandName,
      sent: sentTo(here, 'resolve', { action }),
      fields: isPossible ? objectOf({ ...fields, ...WHO_AND_WHY }, required) : null,
      refusal: (given) =>
        given ? refusal(given) : refusalOfAll(refusals, 'it is not known which shipment is which leg'),
      consequence: (given) =>
        given || isAlike
          ? consequence(here, updating(here, 'resolve', { ...SOMEBODY, ...given, action }))
          : undefined,
    };
  };
  const known = rolesOf(flow).filter((role) => view.legs.some((leg) => leg.role === role && leg.shipment));
  return [
    command('retry', [{}], {}),
    command(
      'adopt',
      [{ shipments: Object.fromEntries(rolesOf(flow).map((role) => [role, sample(here, role)])) }],
      {
        shipments: shipmentFields(here),
      },
    ),
    command(
      'setState',
      // Where no shipment is known, the refusal says so.
      (known.length > 0 ? known : rolesOf(flow)).map((role) => ({ role, stateCode: 'Completed' })),
      { role: { type: 'string', enum: known }, stateCode: { type: 'string', enum: chartStateCodes } },
    ),
    command('giveUp', [{}], {}),
  ];
}

/** The only shipment that it can be; else undefined. */
function certain({ flow, view: { known, legs } }: Here, role: Role): string | undefined {
  const shipment = legs.find((leg) => leg.role === role)?.shipment;
  if (shipment?.roleFrom === 'booking') return shipment.shipmentUid;
  const prior = legOf(flow, role).isPrior ? requestField(known, 'priorShipmentUid') : undefined;
  return typeof prior === 'string' ? prior : undefined;
}

const sample = (here: Here, role: Role): string => certain(here, role) ?? `a shipment of ${role}`;

function shipmentFields(here: Here): JsonSchema {
  const { flow, view } = here;
  const { known, place, unassigned } = view;
  const found =
    place === 'bookingUnknown' ? doubtOf(known).candidates : unassigned.map(({ shipmentUid }) => shipmentUid);
  const roles = rolesOf(flow);
  const fields = roles.map((role) => {
    const only = certain(here, role);
    if (only !== undefined) return [role, { ...uid, const: only }] as const;
    const shipment = view.legs.find((leg) => leg.role === role)?.shipment;
    const likely = shipment ? [shipment.shipmentUid] : found;
    // One found shipment of several roles may be any of them.
    const [suggested] = shipment || (roles.length === 1 && found.length === 1) ? likely : [];
    return [
      role,
      {
        ...uid,
        ...(likely.length > 0 && { examples: likely }),
        ...(suggested !== undefined && { default: suggested }),
      },
    ] as const;
  });
  return objectOf(Object.fromEntries(fields), roles);
}

const uid: JsonSchema = { type: 'string', minLength: 1, maxLength: UID_LENGTH };

const updating = (here: Here, type: string, fields: CommandFields) => (copied: Process) =>
  copied.update(type, { ...fields, ...here.booking }, 'copy', nobody);

/** Plays the command on a copy, as far as its end can be told. */
function consequence(here: Here, command: (copied: Process) => void): Consequence {
  const { flow, process, view, viewIn } = here;
  const copy = new ProcessCopy(process);
  const before = view.known;
  copy.do(command);
  const effects = effectsIn(copy);
  const after = viewIn(copy.process);
  const { isOpen } = copy.process;
  const booking = bookingOf(here, after);
  return {
    after: {
      activity: activities[after.place],
      phase: isOpen ? after.phase : null,
      state: copy.process.snapshot.value,
      ends: isOpen ? null : endOf(copy.process.closing),
    },
    isTaken: true,
    shipments: shipmentEffects(before, after, effects),
    itemsLeft: itemsLeft(flow, after.known).filter(
      ({ shipmentUid }) => !itemsLeft(flow, before).some((left) => left.shipmentUid === shipmentUid),
    ),
    deadlines: movedDeadlines(flow, view, after),
    children: [],
    event: null,
    questions: [],
    calls: copy.calls.filter(({ isNew, state }) => isNew && state === 'running').map(({ type }) => type),
    ...(booking && { booking }),
  };
}

type Effects = ReadonlyMap<string, ShipmentEffectKind>;

/** Answers the calls whose answer is known before. */
function effectsIn(copy: ProcessCopy): Effects {
  const effects = new Map<string, ShipmentEffectKind>();
  const isAwaited = ({ state }: CopiedCall) => state === 'running';
  const next = () =>
    copy.calls.find((call) => isAwaited(call) && (call.type === 'undo' || call.type === 'changeReceiver'));
  for (let call = next(); call; call = next()) {
    if (call.type === 'changeReceiver') {
      const { shipmentUid, toUserUid } = call.input as ChangeReceiverInput;
      // One that is under way already is no consequence.
      if (call.isNew) effects.set(shipmentUid, toUserUid === null ? 'ReceiverRemoved' : 'ReceiverSet');
      copy.answer(call, undefined);
      continue;
    }
    const { shipments } = call.input as UndoInput;
    for (const shipment of shipments) effects.set(shipment.shipmentUid, effectOfUndoing(shipment));
    copy.answer(call, { shipments: shipments.map(undoneAs) } satisfies Undone);
    for (const { shipmentUid } of shipments.filter((each) => effectOfUndoing(each) === 'Cancelled'))
      copy.do((copied) =>
        copied.signal('shipmentStatus', {
          shipmentUid,
          stateCode: 'Cancelled',
          stateStart: new Date(copied.world.now()).toISOString(),
        }),
      );
  }
  return effects;
}

/** As the activity does it. */
function effectOfUndoing({ isIssuedFromStock, stateCode }: UndoInput['shipments'][number]) {
  if (!isIssuedFromStock || stateCode === 'ReadyForPickup') return 'Cancelled';
  return stateCode === null ? 'ReceiverRemovedOrCancelled' : 'ReceiverRemoved';
}

function undoneAs(shipment: UndoInput['shipments'][number]): Undone['shipments'][number] {
  const undone = effectOfUndoing(shipment) === 'Cancelled' ? 'Cancelled' : 'ReceiverRemoved';
  return { shipmentUid: shipment.shipmentUid, undone, stateCode: null, error: null };
}

function shipmentEffects(
  before: FlowContext,
  { known: after, place }: FlowView,
  undone: Effects,
): ShipmentEffect[] {
  const isUndone = place === 'ended' || place === 'undoing' || place === 'stuck';
  const effectOn = (shipment: KnownShipment): ShipmentEffectKind | undefined => {
    const was = shipmentOf(before, shipment.shipmentUid);
    const now = shipmentOf(after, shipment.shipmentUid);
    const effect = undone.get(shipment.shipmentUid);
    if (effect) return effect;
    if (!was) return 'Adopted';
    if (!now) return 'Released';
    if (was.stateCode !== now.stateCode || was.contradiction !== now.contradiction) return 'StateSet';
    return isUndone && !isInactive(now) ? 'Stays' : undefined;
  };
  const all = [
    ...before.shipments,
    ...after.shipments.filter((each) => !shipmentOf(before, each.shipmentUid)),
  ];
  return all.flatMap((shipment) => {
    const effect = effectOn(shipment);
    const { shipmentUid, role, pupUid, lockerName } = shipmentOf(after, shipment.shipmentUid) ?? shipment;
    return effect ? [{ shipmentUid, role, effect, stateCode: stateOf(shipment), pupUid, lockerName }] : [];
  });
}

function movedDeadlines(flow: Declaration, before: FlowView, after: FlowView): DeadlineMove[] {
  const [was, is] = [byName(deadlinesOf(flow, before)), byName(deadlinesOf(flow, after))];
  return [...new Map([...was, ...is])].flatMap(([name, { role, stage }]) => {
    const from = was.get(name)?.until ?? null;
    const until = is.get(name)?.until ?? null;
    const ahead = is.get(name)?.ahead;
    return from === until ? [] : [{ role, stage, timer: null, from, until, ...(ahead && { ahead }) }];
  });
}

const byName = (deadlines: readonly DeadlineProgress[]): ReadonlyMap<string, DeadlineProgress> =>
  new Map(deadlines.map((deadline) => [`${deadline.role}.${deadline.stage}`, deadline]));

/** What becomes of a booking that is under way or in doubt. */
function bookingOf({ view: { place, known } }: Here, after: FlowView): Consequence['booking'] {
  if (place !== 'booking' && place !== 'bookingUnknown') return undefined;
  if (after.place === 'ended') return 'MayStayBooked';
  if (place === 'bookingUnknown' && after.place === 'booking')
    return doubtOf(known).retryMayBookTwice === false ? 'BooksAgain' : 'MayBookTwice';
  return after.known.undoing ? 'UndoneOnceKnown' : undefined;
}
