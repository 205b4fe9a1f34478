// Examples of the operations that make shipments and change them.
import { booked, dimension, type Examples, orderDetails } from './example-values.ts';
import type { shipmentCreation } from './shipment-creation.ts';
import type { shipmentManagement } from './shipment-management.ts';

const booking = { pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false, dimension };
const returnDetails = { referenceNo: 'RETURN-1001', referenceCaseNo: 'CASE-77', description: 'Used filter' };
const one = { shipmentUids: ['shipment-1001'] };
const two = { shipmentUids: ['shipment-1001', 'shipment-1002'] };
const priorShipmentUid = 'shipment-1001';

export const shipmentCreationExamples = {
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
} satisfies Pick<Examples, keyof typeof shipmentCreation>;

export const shipmentManagementExamples = {
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
} satisfies Pick<Examples, keyof typeof shipmentManagement>;
