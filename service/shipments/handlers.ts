// The handlers of the shipment operations.
import type { Handlers } from '../handler.ts';
import { cancelShipment } from './cancel-shipment.ts';
import {
  createCollectOnlyShipment,
  createCollectOnlyShipmentAsCollectByDispatcher,
  createCollectOnlyShipmentAsCollectByUser,
} from './create-collect-only.ts';
import { createLocalShipmentAsIntake, createLocalShipmentAsIntakeAndCircularStock } from './create-intake.ts';
import { createLocalShipmentAsIssue, createLocalShipmentAsIssueAndSwapIntake } from './create-issue.ts';
import {
  createLocalShipmentAsIssueFromStock,
  createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock,
  createLocalShipmentAsIssueFromStockAndSwapIntake,
} from './create-issue-from-stock.ts';
import { createLocalShipment } from './create-local-shipment.ts';
import { createLocalShipmentAsStock, createLocalShipmentAsStockAfterSwapIntake } from './create-stock.ts';
import { getShipmentAccessCode } from './get-shipment-access-code.ts';
import { getPickUpPoints } from './reading/get-pick-up-points.ts';
import { getShipment, getShipmentObjects } from './reading/get-shipment.ts';
import { getShipmentEvents } from './reading/get-shipment-events.ts';
import { getCollectOnlyShipments, getLocalShipments, getShipments } from './reading/get-shipments.ts';
import { setShipmentDetails } from './set-shipment-details.ts';
import { setShipmentReceiver } from './set-shipment-receiver.ts';
import { addShipmentObject, removeShipmentObject } from './shipment-objects.ts';

export const shipmentHandlers = {
  CreateLocalShipment: createLocalShipment,
  CreateLocalShipmentAsIssue: createLocalShipmentAsIssue,
  CreateLocalShipmentAsIssueAndSwapIntake: createLocalShipmentAsIssueAndSwapIntake,
  CreateLocalShipmentAsStock: createLocalShipmentAsStock,
  CreateLocalShipmentAsStockAfterSwapIntake: createLocalShipmentAsStockAfterSwapIntake,
  CreateLocalShipmentAsIssueFromStock: createLocalShipmentAsIssueFromStock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: createLocalShipmentAsIssueFromStockAndSwapIntake,
  CreateLocalShipmentAsIntake: createLocalShipmentAsIntake,
  CreateLocalShipmentAsIntakeAndCircularStock: createLocalShipmentAsIntakeAndCircularStock,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock:
    createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock,
  CreateCollectOnlyShipment: createCollectOnlyShipment,
  CreateCollectOnlyShipmentAsCollectByDispatcher: createCollectOnlyShipmentAsCollectByDispatcher,
  CreateCollectOnlyShipmentAsCollectByUser: createCollectOnlyShipmentAsCollectByUser,
  CancelShipment: cancelShipment,
  SetShipmentDetails: setShipmentDetails,
  AddShipmentObject: addShipmentObject,
  RemoveShipmentObject: removeShipmentObject,
  SetShipmentReceiver: setShipmentReceiver,
  GetShipmentAccessCode: getShipmentAccessCode,
  GetShipment: getShipment,
  GetShipmentObjects: getShipmentObjects,
  GetShipmentEvents: getShipmentEvents,
  GetShipments: getShipments,
  GetLocalShipments: getLocalShipments,
  GetCollectOnlyShipments: getCollectOnlyShipments,
  GetPickUpPoints: getPickUpPoints,
} satisfies Partial<Handlers>;
