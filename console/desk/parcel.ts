// A parcel that is registered at the desk: it is a process of the flow Issue, and its booking is told as soon as it is known.
import { z } from 'zod';
import type { InputOf } from '../../client/flow-contract.ts';
import { FlowFailed } from '../../client/flow-errors.ts';
import { duration } from '../../contract/wire/duration.ts';
import { uid } from '../../contract/wire/fields.ts';
import { type AtTemporal, answered } from '../../processes/at-temporal.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ParcelView } from './desk-view.ts';

const side = z.number('must be a number of centimeters').min(1, 'must be at least 1 cm');
const optionalText = z.string().trim().max(2_000).optional();

/** A suggestion has no account yet: the process makes or finds it by the e-mail address. */
const suggested = z.object({
  emailAddress: z.string().min(1),
  firstName: z.string().min(1, 'is missing; the suggestion has none, so type it'),
  lastName: z.string().min(1, 'is missing; the suggestion has none, so type it'),
  phoneNumber: optionalText,
  languageCode: optionalText,
});

export const parcelWanted = z
  .object({
    /** Made by the page once for each form: sent twice, it is one parcel. */
    key: z.string().regex(/^desk-[\w-]{16,60}$/),
    pupUid: uid,
    lockerUid: uid.optional(),
    toUserUid: uid.optional(),
    toUser: suggested.optional(),
    dimension: z.object({ width: side, height: side, length: side }),
    allowLargerLockers: z.boolean(),
    referenceNo: optionalText,
    description: optionalText,
    pickUpWithin: duration.optional(),
  })
  .refine(({ toUserUid, toUser }) => (toUserUid === undefined) !== (toUser === undefined), {
    path: ['receiver'],
    message: 'is missing; choose who gets the parcel',
  });
export type ParcelWanted = z.infer<typeof parcelWanted>;

/** Throws ContractError, with the fields of the flow's input. */
export async function registerParcel({ flows }: AtTemporal, wanted: ParcelWanted): Promise<void> {
  await flows.start('Issue', wanted.key, inputOf(wanted));
}

function inputOf(wanted: ParcelWanted): InputOf<'Issue'> {
  const { pupUid, lockerUid, toUserUid, toUser, dimension, allowLargerLockers, pickUpWithin } = wanted;
  const { referenceNo, description } = wanted;
  return {
    request: {
      ...{ pupUid, dimension, allowLargerLockers, allowOverflowLockers: false },
      ...(lockerUid !== undefined && { lockerUid }),
      ...((referenceNo || description) && {
        details: { referenceNo: referenceNo || null, description: description || null },
      }),
      ...(toUser ? { toUser: withoutEmpty(toUser) } : { toUserUid }),
    },
    ...(pickUpWithin !== undefined && { deadlines: { issue: { pickUp: pickUpWithin } } }),
  } as InputOf<'Issue'>;
}

const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/** Throws FlowNotFound. */
export async function parcelOf(parts: ConsoleParts, key: string): Promise<ParcelView> {
  const none = { key, shipmentUid: null, stateCode: null, pupUid: null, lockerName: null, message: null };
  const handle = parts.flows.handle<'Issue'>(key);
  const { activity, shipments, phase } = await answered(parts, () => handle.progress());
  const { issue } = shipments;
  if (issue?.shipmentUid) {
    const { shipmentUid, stateCode } = issue;
    return { ...none, status: 'Booked', shipmentUid, stateCode, ...(await placeOf(parts, issue)) };
  }
  if (phase === 'NeedsPerson')
    return {
      ...none,
      status: 'NeedsPerson',
      message: 'Nobody knows whether it was booked: the answer was lost. Decide it in the inbox.',
    };
  return activity === 'Ended' ? await refused(parts, none) : { ...none, status: 'Booking' };
}

async function refused(parts: ConsoleParts, none: Omit<ParcelView, 'status'>): Promise<ParcelView> {
  const error: unknown = await parts.flows
    .handle<'Issue'>(none.key)
    .result()
    .catch((cause: unknown) => cause);
  const message = error instanceof FlowFailed ? `${error.code}: ${error.message}` : 'It was not booked.';
  return { ...none, status: 'Refused', message };
}

interface Place {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** A process learns its locker from a listing, where its worker may ask for one; the desk asks itself. */
async function placeOf(
  { service }: ConsoleParts,
  issue: Place & { readonly shipmentUid: string },
): Promise<Place> {
  const { shipmentUid, pupUid, lockerName } = issue;
  if (lockerName !== null) return { pupUid, lockerName };
  const { items } = await service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
  const found = items.find((each) => each.shipmentUid === shipmentUid);
  return { pupUid: found?.pupUid ?? pupUid, lockerName: found?.lockerName ?? null };
}
