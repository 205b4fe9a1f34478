// The rows of the operations that tell all about one shipment, for support: as it is, what is attached to it, and what
// happened to it. ASSUMPTION: assumptions: Operating; the interface has no operation that reads a shipment by its uid.
import { z } from 'zod';
import { answerFlag, answerList, answerNumber, answerText, uid } from '../wire/fields.ts';
import { operation } from './operation.ts';
import { shipmentRecord } from './shipment-reading.ts';

const ofOneShipment = {
  source: 'assumptions: Operating',
  effect: 'none',
  body: 'json',
  request: z.object({ shipmentUid: uid }),
  errors: ['InvalidShipment'],
} as const;

const answerDimension = z
  .object({ width: answerNumber, height: answerNumber, length: answerNumber })
  .nullish()
  .catch(null);

export const shipmentHistory = {
  GetShipment: operation({
    ...ofOneShipment,
    path: '/v1/Platform/GetShipment',
    meaning: 'Returns a shipment by its uid, with its locker and whether its item was left behind there',
    response: shipmentRecord.extend({ lockerUid: answerText, updatedAt: answerText, isItemLeft: answerFlag }),
  }),
  GetShipmentObjects: operation({
    ...ofOneShipment,
    path: '/v1/Platform/GetShipmentObjects',
    meaning: 'Lists the items attached to a shipment, in the order in which they were added',
    response: z.object({
      items: answerList(
        z.object({
          shipmentObjectUid: answerText,
          referenceNo: answerText,
          description: answerText,
          weight: answerNumber,
          count: answerNumber,
          dimension: answerDimension,
        }),
      ),
      isComplete: answerFlag,
    }),
  }),
  GetShipmentEvents: operation({
    ...ofOneShipment,
    path: '/v1/Platform/GetShipmentEvents',
    meaning:
      'Lists what happened to a shipment, in order: requests, openings of its locker, changes of state',
    response: z.object({
      items: answerList(
        z.object({
          kind: answerText,
          occurredAt: answerText,
          stateCode: answerText,
          accessGoal: answerText,
          operation: answerText,
          outcome: answerText,
          clientId: answerText,
          onBehalfOf: answerText,
          requestId: answerText,
        }),
      ),
      isComplete: answerFlag,
    }),
  }),
};
