// Every error code of every shipment operation's contract row, provoked over real HTTP. The compiler asks for each: a
// code that is added to a row, or a row that is added, needs a case here.
import { describe, expect, test } from 'vitest';
import { errors } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { shipmentCreation } from '../../../contract/operations/shipment-creation.ts';
import { shipmentManagement } from '../../../contract/operations/shipment-management.ts';
import { shipmentHistory, shipmentReading } from '../../../contract/operations/shipment-reading.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const rows = { ...shipmentCreation, ...shipmentManagement, ...shipmentReading, ...shipmentHistory };
type Name = keyof typeof rows;
/** Prepares what is needed and gives the fields that make the example's request be refused with this code. */
type Case = () => Promise<Readonly<Record<string, unknown>>>;
type Cases = { readonly [N in Name]: Readonly<Record<(typeof rows)[N]['errors'][number], Case>> };

const { service, demo: wall } = useTenantsAnew();

const huge = { width: 100, height: 100, length: 100 };
const ended = async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipmentAsStock');
  await wall.cancel(shipmentUid);
  return shipmentUid;
};
const active = async () => (await wall.book('CreateLocalShipment'))[0];
const stock = async () => (await wall.book('CreateLocalShipmentAsStock'))[0];
const failing = async (shipmentUid: string) => {
  await wall.sandbox('POST', 'faults', { pupUid: 'pup-central', fault: 'stuck' });
  return shipmentUid;
};

const place = {
  InvalidPupUid: async () => ({ pupUid: 'pup-other' }),
  InvalidLockerUid: async () => ({ lockerUid: 'pup-station-1' }),
  NoLockerAvailable: async () => {
    await service.database
      .updateTable('lockers')
      .set({ out_of_order: true })
      .where('locker_uid', 'like', 'pup-central-%')
      .execute();
    return {};
  },
  NoFittingLocker: async () => ({ dimension: huge }),
} satisfies Record<string, Case>;
const toNobody = { InvalidUserUid: async () => ({ toUserUid: 'nobody' }) };
const fromNobody = { InvalidUserUid: async () => ({ fromUserUid: 'nobody' }) };
const shipment = {
  InvalidShipment: async () => ({ shipmentUid: 'nothing' }),
  InvalidShipmentState: async () => ({ shipmentUid: await ended() }),
};
const prior = {
  InvalidShipment: async () => ({ priorShipmentUid: 'nothing' }),
  InvalidShipmentState: async () => ({ priorShipmentUid: await ended() }),
};
const issue = {
  ...prior,
  InvalidUserUid: async () => ({ priorShipmentUid: await stock(), toUserUid: 'nobody' }),
};

const cases = {
  CreateLocalShipment: {
    ...place,
    ...toNobody,
    InvalidShipment: async () => ({ swapsShipmentUid: 'nothing' }),
    InvalidShipmentState: async () => ({ swapsShipmentUid: await ended() }),
  },
  CreateLocalShipmentAsIssue: { ...place, ...toNobody },
  CreateLocalShipmentAsIssueAndSwapIntake: { ...place, ...toNobody },
  CreateLocalShipmentAsStock: place,
  CreateLocalShipmentAsStockAfterSwapIntake: {
    ...prior,
    NoLockerAvailable: async () => ({
      priorShipmentUid: (await wall.book('CreateLocalShipmentAsIntake'))[0],
      dimension: huge,
    }),
  },
  CreateLocalShipmentAsIssueFromStock: issue,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: issue,
  CreateLocalShipmentAsIntake: { ...place, ...fromNobody },
  CreateLocalShipmentAsIntakeAndCircularStock: { ...place, ...fromNobody },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: issue,
  CreateCollectOnlyShipment: { ...place, ...toNobody },
  CreateCollectOnlyShipmentAsCollectByDispatcher: place,
  CreateCollectOnlyShipmentAsCollectByUser: { ...place, ...toNobody },
  SetShipmentDetails: shipment,
  AddShipmentObject: shipment,
  RemoveShipmentObject: {
    ...shipment,
    InvalidShipmentObject: async () => ({ shipmentUid: await active(), shipmentObjectUid: 'nothing' }),
  },
  SetShipmentReceiver: {
    ...shipment,
    InvalidUserUid: async () => ({ shipmentUid: await stock(), toUserUid: 'nobody' }),
  },
  CancelShipment: shipment,
  SimulateLockerAccess: {
    InvalidPupUid: async () => ({ pupUid: 'pup-other' }),
    InvalidLockerUid: async () => ({ lockerName: '25' }),
    InvalidAccessCode: async () => ({ pinCode: '000000' }),
    UnlockFailed: async () => {
      const shipmentUid = await failing(await active());
      const { lockerName } = await wall.shipment(shipmentUid);
      const { deliveryCode: pinCode } = await wall.codes(shipmentUid);
      return { lockerName, pinCode };
    },
    NotAvailable: async () => {
      throw new TypeError('this one needs a service in production mode: see sandbox.test.ts');
    },
  },
  UnlockShipmentLocker: {
    ...shipment,
    UnlockNotAllowed: async () => ({ shipmentUid: await active(), unlockGoal: 'PickUp' }),
    InvalidAccessCode: async () => ({
      shipmentUid: await active(),
      unlockGoal: 'DropOff',
      pinCode: '000',
    }),
    UnlockFailed: async () => ({
      shipmentUid: await failing(await active()),
      unlockGoal: 'DropOff',
      pinCode: null,
    }),
  },
  GetShipmentAccessCode: { InvalidShipment: shipment.InvalidShipment },
  GetShipment: { InvalidShipment: shipment.InvalidShipment },
  GetShipmentObjects: { InvalidShipment: shipment.InvalidShipment },
  GetShipmentEvents: { InvalidShipment: shipment.InvalidShipment },
  GetShipments: {},
  GetLocalShipments: {},
  GetCollectOnlyShipments: {},
  GetPickUpPoints: {},
} satisfies Cases;

/** A refusal changes nothing of it. */
const everything = () =>
  Promise.all(
    (['shipments', 'lockers', 'access_codes', 'shipment_objects', 'shipment_events'] as const).map((table) =>
      service.database.selectFrom(table).selectAll().execute(),
    ),
  );

const flat = Object.entries(cases).flatMap(([name, byCode]) =>
  Object.entries<Case>(byCode).map(([code, prepare]) => ({
    name: name as Name,
    code: code as keyof typeof errors,
    prepare,
  })),
);

const provoked = flat.filter(({ code }) => code !== 'NotAvailable');
/** In `npm test`: each code of some operation, and one of three besides. */
const often = provoked.filter(
  ({ code }, index) => index % 3 === 0 || index === provoked.findIndex((each) => each.code === code),
);

describe.each([
  { when: 'in every run', tags: [], tried: often },
  { when: 'in the long suite', tags: ['long'], tried: provoked.filter((each) => !often.includes(each)) },
])('$when', ({ tags, tried }) =>
  test.each(tried)('$name is refused with $code', { tags }, async ({ name, code, prepare }) => {
    const body = { ...examples[name].request, ...(await prepare()) };
    const before = await everything();
    const refusal = await wall.refused(name, body);
    expect(refusal).toMatchObject({ error: code, status: errors[code].status });
    expect(refusal.message.length).toBeGreaterThan(10);
    expect(await everything()).toEqual(before);
  }),
);
