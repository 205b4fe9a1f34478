// What people can do to a booking now, as data. Whether a command is possible says the booking itself, as it does for the update.

import type { CommandName, FieldsSchema, JsonSchema } from '../../contract/flows/actions.ts';
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import { chartStateCodes } from '../../contract/machines/chart.ts';
import {
  type Command,
  type CommandFields,
  newEndFields,
  notPossible,
  objectOf,
  oneNewEnd,
  type Rejection,
  textField,
  WHO_AND_WHY,
} from '../../engine/commands.ts';
import { noReply } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { doubtOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import { consequence } from './consequence.ts';
import { requestField } from './known.ts';
import type { FlowView } from './view.ts';

export function bookingCommands(
  id: string,
  process: Process,
  { flow, view, isWhole }: BookingSnapshot,
): Command[] {
  const here: Here = { flow, process, view, booking: isWhole ? {} : { booking: id } };
  return [
    extendDeadline(here),
    receiverCommand(here, 'setReceiver', {
      toUserUid: textField('The userUid of the receiver', UID_LENGTH),
      caseReferenceNew: textField('The new case number; not given: it stays'),
    }),
    receiverCommand(here, 'removeReceiver', {}),
    ...resolveCommands(here),
  ].map((command) => ({ ...command, ...here.booking }));
}

interface Here {
  readonly flow: Declaration;
  readonly process: Process;
  readonly view: FlowView;
  /** What says which one is meant, where a process may have several. */
  readonly booking: { readonly booking?: string };
}

const UID_LENGTH = 200;

// Possible at any time: whether the fields before it are, is the question.
const A_WEEK = 'P7D';
const SOMEBODY = { by: 'somebody', why: 'a reason' };

/** The refusals of all candidates, if none of them is possible. */
function refusalOfAll(refusals: readonly (Rejection | undefined)[], none: string): Rejection | undefined {
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
    consequence: (fields) => fields && consequenceOf(here, 'extendDeadline', fields),
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
    consequence: (fields) => fields && consequenceOf(here, command, fields),
  };
}

const sentTo = ({ booking }: Here, name: string, constant: CommandFields = {}): Command['sent'] => {
  const all = { ...constant, ...booking };
  return { kind: 'update', name, ...(Object.keys(all).length > 0 && { constant: all }) };
};

const refusalOf = ({ process, booking }: Here, type: string, fields: CommandFields): Rejection | undefined =>
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
        given || isAlike ? consequenceOf(here, 'resolve', { ...SOMEBODY, ...given, action }) : undefined,
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

const consequenceOf = ({ process, booking }: Here, type: string, fields: CommandFields) =>
  consequence(process, (copy) =>
    copy.do((copied) => copied.update(type, { ...fields, ...booking }, 'copy', noReply)),
  );
