// Examples of the operations that make shipments, change them and read them.

import type { OperationName, Request, Response } from './operations.ts';

export type Examples = {
  readonly [Name in OperationName]: { readonly request: Request<Name>; readonly response: Response<Name> };
};

export const dimension = { width: 30, height: 20, length: 40 };
export const orderDetails = {
  referenceNo: 'PARCEL-1001',
  referenceCaseNo: 'CASE-77',
  description: 'Cordless drill',
};
export const booked = { shipmentUid: 'shipment-1001', pupUid: 'pup-central', lockerName: '7' };
export const page = { pageNo: 1, pageSize: 100, totalItems: 1, totalPages: 1 };

const booking = { pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false, dimension };
const returnDetails = { referenceNo: 'RETURN-1001', referenceCaseNo: 'CASE-77', description: 'Used filter' };
const one = { shipmentUids: ['shipment-1001'] };
const two = { shipmentUids: ['shipment-1001', 'shipment-1002'] };
const priorShipmentUid = 'shipment-1001';

const localShipment = {
  ...booked,
  ...orderDetails,
  shipmentType: 'LocalPupShipment',
  stateCode: 'ReadyForPickup',
  stateStart: '2026-03-02T09:15:00.000',
  fromUserUid: 'user-demo',
  toUserUid: 'user-anna',
  swapsShipmentUid: null,
  priorShipmentUid: null,
  circularPriorShipmentUid: null,
  lastPickUpAt: null,
};
const collectOnlyShipment = { ...localShipment, shipmentType: 'CollectOnlyShipment' };

export const shipmentExamples = {
  CreateLocalShipment: {
    request: { ...booking, ...orderDetails, fromUserUid: 'user-anna', toUserUid: 'user-bram' },
    response: booked,
  },
  CreateLocalShipmentAsIssue: {
    request: { ...booking, toUserUid: 'user-anna', details: orderDetails },
    response: one,
  },
  CreateLocalShipmentAsIssueAndSwapIntake: {
    request: { ...booking, toUserUid: 'user-anna', details: orderDetails, return: returnDetails },
    response: two,
  },
  CreateLocalShipmentAsStock: { request: { ...booking, details: orderDetails }, response: one },
  CreateLocalShipmentAsStockAfterSwapIntake: {
    request: { priorShipmentUid, dimension, details: orderDetails },
    response: { shipmentUids: ['shipment-1002'] },
  },
  CreateLocalShipmentAsIssueFromStock: {
    request: { priorShipmentUid, toUserUid: 'user-anna', issue: { referenceCaseNo: 'CASE-77' } },
    response: one,
  },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: {
    request: {
      priorShipmentUid,
      toUserUid: 'user-anna',
      return: returnDetails,
      issue: { referenceCaseNo: 'CASE-77' },
    },
    response: two,
  },
  CreateLocalShipmentAsIntake: {
    request: { ...booking, fromUserUid: 'user-anna', details: returnDetails },
    response: one,
  },
  CreateLocalShipmentAsIntakeAndCircularStock: {
    request: { ...booking, fromUserUid: 'user-anna', details: returnDetails },
    response: two,
  },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: {
    request: {
      priorShipmentUid,
      toUserUid: 'user-anna',
      return: returnDetails,
      issue: { referenceCaseNo: 'CASE-77' },
      details: orderDetails,
    },
    response: { shipmentUids: ['shipment-1001', 'shipment-1002', 'shipment-1003'] },
  },
  CreateCollectOnlyShipment: {
    request: { ...booking, keepBookedAfterPickUp: false, toUserUid: 'user-anna', details: orderDetails },
    response: booked,
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher: {
    request: { ...booking, keepBookedAfterPickUp: true, details: orderDetails },
    response: one,
  },
  CreateCollectOnlyShipmentAsCollectByUser: {
    request: { ...booking, toUserUid: 'user-anna', keepBookedAfterPickUp: false, details: orderDetails },
    response: one,
  },

  SetShipmentDetails: { request: { shipmentUid: 'shipment-1001', ...orderDetails }, response: {} },
  AddShipmentObject: {
    request: {
      shipmentUid: 'shipment-1001',
      details: { referenceNo: 'OBJECT-1', description: 'Charger', weight: 450, count: 1, dimension },
      changePickUpAccess: true,
      changeDropOffAccess: false,
    },
    response: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
  },
  RemoveShipmentObject: {
    request: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
    response: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
  },
  SetShipmentReceiver: {
    request: { shipmentUid: 'shipment-1001', toUserUid: 'user-anna', caseReferenceNew: 'CASE-78' },
    response: {},
  },
  CancelShipment: { request: { shipmentUid: 'shipment-1001' }, response: {} },
  SimulateLockerAccess: {
    request: { pupUid: 'pup-central', lockerName: '7', pinCode: '204816' },
    response: {},
  },
  UnlockShipmentLocker: {
    request: { shipmentUid: 'shipment-1001', unlockGoal: 'PickUp', pinCode: '204816' },
    response: {},
  },

  GetShipmentAccessCode: {
    request: { shipmentUid: 'shipment-1001' },
    response: { shipmentUid: 'shipment-1001', pickUpCode: '204816', deliveryCode: '731950' },
  },
  GetShipments: {
    request: {
      pageNo: 1,
      pageSize: 100,
      activeShipments: true,
      shipmentState: ['ReadyForPickup'],
      updatedSince: '2026-03-02T09:00:00.000',
      sortBy: 'ActivityAsc',
    },
    response: { items: [localShipment], ...page },
  },
  GetLocalShipments: {
    request: { pageNo: 1, pageSize: 100, userUid: 'user-anna' },
    response: { items: [localShipment], ...page },
  },
  GetCollectOnlyShipments: {
    request: { pageNo: 1, pageSize: 100, bookedPupUid: 'pup-central' },
    response: { items: [collectOnlyShipment], ...page },
  },
  GetShipment: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      ...localShipment,
      fromUserUid: 'user-anna',
      toUserUid: 'user-bram',
      lockerUid: 'pup-central-7',
      updatedAt: '2026-03-02T09:15:00.000',
      isItemLeft: false,
    },
  },
  GetShipmentObjects: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      items: [
        {
          shipmentObjectUid: 'object-1',
          referenceNo: 'PART-1',
          description: 'Drill bits',
          weight: 350,
          count: 2,
          dimension: { width: 10, height: 5, length: 15 },
        },
      ],
      isComplete: true,
    },
  },
  GetShipmentEvents: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      items: [
        {
          kind: 'LockerOpened',
          occurredAt: '2026-03-02T09:15:00.000',
          stateCode: null,
          accessGoal: 'DropOff',
          operation: 'UnlockShipmentLocker',
          outcome: null,
          clientId: 'tenant-booking',
          onBehalfOf: null,
          why: null,
          requestId: null,
        },
        {
          kind: 'StateChanged',
          occurredAt: '2026-03-02T09:15:00.000',
          stateCode: 'ReadyForPickup',
          accessGoal: null,
          operation: null,
          outcome: null,
          clientId: null,
          onBehalfOf: null,
          why: null,
          requestId: null,
        },
      ],
      isComplete: true,
    },
  },
} satisfies Partial<Examples>;
