// Examples of the operations on pick up points and lockers, and of those for the tenant itself.
import { type Examples, page } from './example-values.ts';

export const platformExamples = {
  GetPickUpPoints: {
    request: { pageNo: 1, pageSize: 100, pupUid: 'pup-central', includeDetails: true },
    response: {
      items: [
        {
          pupUid: 'pup-central',
          name: 'Central',
          timeZone: 'Europe/Amsterdam',
          city: 'Utrecht',
          countryCode: 'NL',
          lockers: [{ lockerUid: 'pup-central-7', lockerName: '7', size: 'S', free: true }],
        },
      ],
      ...page,
    },
  },
  ConfigureCallback: {
    request: {
      url: 'https://tenant.example.com/callbacks',
      authType: 'HMAC',
      resetKey: true,
      accessMessages: true,
    },
    response: {
      url: 'https://tenant.example.com/callbacks',
      authType: 'HMAC',
      changed: true,
      authKey: 'kept-by-both-sides',
      signingKey: null,
      extraFields: false,
      accessMessages: true,
    },
  },
  GetLockers: {
    request: { pageNo: 1, pageSize: 100, pupUid: 'pup-central', lockerState: ['Booked'] },
    response: {
      items: [
        {
          lockerUid: 'pup-central-7',
          lockerName: '7',
          pupUid: 'pup-central',
          size: 'S',
          innerDimension: { width: 12, height: 38, length: 60 },
          state: 'Booked',
          outOfOrder: false,
          toBeEmptied: false,
          leftShipmentUid: null,
          door: 'Closed',
          doorFailure: null,
          lastAccess: {
            occurredAt: '2026-03-02T09:15:00.000',
            accessGoal: 'DropOff',
            shipmentUid: 'shipment-1001',
          },
          shipments: [
            {
              shipmentUid: 'shipment-1001',
              shipmentType: 'LocalPupShipment',
              stateCode: 'ReadyForPickup',
              fromUserUid: 'user-anna',
              toUserUid: 'user-bram',
            },
          ],
        },
      ],
      pageNo: 1,
      pageSize: 100,
      totalItems: 1,
      totalPages: 1,
    },
  },
  SetLockerOutOfOrder: {
    request: { lockerUid: 'pup-central-7', outOfOrder: true },
    response: { lockerUid: 'pup-central-7', outOfOrder: true, changed: true },
  },
  SetLockerEmptied: {
    request: { lockerUid: 'pup-central-7' },
    response: { lockerUid: 'pup-central-7', changed: true },
  },
  GetPickUpPointUse: {
    request: { pupUid: 'pup-central', since: '2026-03-02T00:00:00Z', until: '2026-03-09T00:00:00Z' },
    response: {
      pupUid: 'pup-central',
      since: '2026-03-02T00:00:00.000',
      until: '2026-03-09T00:00:00.000',
      sizes: [{ size: 'M', lockerCount: 8 }],
      hours: [{ hour: '2026-03-02T09:00:00.000', size: 'M', held: 6.25 }],
      refusals: [{ hour: '2026-03-02T09:00:00.000', size: 'M', refused: 3 }],
      timeInLocker: { itemCount: 41, p50Seconds: 21_600, p95Seconds: 172_800 },
    },
  },
  GetAuditLog: {
    request: { pageSize: 100, uid: 'shipment-1001', since: '2026-03-02T00:00:00' },
    response: {
      items: [
        {
          occurredAt: '2026-03-02T09:15:00.000',
          clientId: 'tenant-booking',
          onBehalfOf: 'anna',
          operation: 'CreateLocalShipment',
          uids: ['shipment-1001'],
          outcome: 'Success',
          count: 1,
          requestId: '5f0c7f0e-3f0f-4d7a-9c4e-0a4b5f5a1c2d',
        },
      ],
      nextCursor: null,
    },
  },
} satisfies Partial<Examples>;
