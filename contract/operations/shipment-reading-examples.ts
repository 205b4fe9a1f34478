// Examples of the operations that read shipments.
import { booked, type Examples, orderDetails, page } from './example-values.ts';

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

export const shipmentReadingExamples = {
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
      shipmentUid: 'shipment-1001',
      shipmentType: 'LocalPupShipment',
      stateCode: 'ReadyForPickup',
      stateStart: '2026-03-02T09:15:00.000',
      ...orderDetails,
      fromUserUid: 'user-anna',
      toUserUid: 'user-bram',
      pupUid: 'pup-central',
      lockerName: '7',
      swapsShipmentUid: null,
      priorShipmentUid: null,
      circularPriorShipmentUid: null,
      lastPickUpAt: null,
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
          requestId: null,
        },
      ],
      isComplete: true,
    },
  },
} satisfies Partial<Examples>;
