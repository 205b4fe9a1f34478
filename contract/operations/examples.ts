// One valid request and answer per operation, in camelCase, from the demo data: the demo tenant, its pick up points and
// users. Tests, the OpenAPI document and the docs use them; nothing at run time does.
import { ACCESS_MESSAGE_TYPE, CALLBACK_MESSAGE_TYPE } from '../wire/callback.ts';
import { accountExamples } from './account-examples.ts';
import { type Examples, orderDetails } from './example-values.ts';
import { platformExamples } from './platform-examples.ts';
import { shipmentCreationExamples, shipmentManagementExamples } from './shipment-examples.ts';
import { shipmentReadingExamples } from './shipment-reading-examples.ts';

export const examples: Examples = {
  ...shipmentCreationExamples,
  ...shipmentManagementExamples,
  ...shipmentReadingExamples,
  ...accountExamples,
  ...platformExamples,
};

/** The callback of the change to ReadyForPickup. */
export const callbackExample = {
  messageType: CALLBACK_MESSAGE_TYPE,
  message: {
    shipmentUid: 'shipment-1001',
    stateCode: 'ReadyForPickup',
    stateStart: '2026-03-02T09:15:00.000',
    shipmentType: 'LocalPupShipment',
    ...orderDetails,
  },
};

/** The message of a pick-up after which the locker stays booked. */
export const accessExample = {
  messageType: ACCESS_MESSAGE_TYPE,
  message: {
    ...callbackExample.message,
    shipmentType: 'CollectOnlyShipment',
    accessGoal: 'PickUp',
    occurredAt: '2026-03-02T17:40:12.000',
  },
};
