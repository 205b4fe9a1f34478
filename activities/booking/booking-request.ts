// The one request of a booking, as it is sent and as it is looked for. Operations are told apart by their fields alone.

import {
  flowRulesOfOperation,
  type OperationName,
  type Request,
  type Response,
} from '../../contract/index.ts';
import type { BookInput } from '../../flows/booking/activities.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { headerKey } from '../header-key.ts';
import { callOperation } from '../operation-call.ts';
import type { SoughtBooking } from './possible-bookings.ts';
import { textField, type WithReferences } from './references.ts';
import type { BookingAnswer } from './search.ts';

export async function bookOnce(
  api: LockerApi,
  { operation, idempotencyKey }: BookInput,
  { request }: WithReferences,
): Promise<BookingAnswer> {
  // The request is checked against the operation's row before it is sent.
  const response = await callOperation(api, operation, request as Request<OperationName>, {
    idempotencyKey: headerKey(idempotencyKey),
  });
  return answerOf(operation, response);
}

function answerOf(operation: OperationName, response: Response<OperationName>): BookingAnswer {
  if ('shipmentUids' in response)
    return { shipmentUids: response.shipmentUids, pupUid: null, lockerName: null };
  if ('lockerName' in response && 'shipmentUid' in response && response.shipmentUid !== null) {
    const { shipmentUid, pupUid, lockerName } = response;
    return { shipmentUids: [shipmentUid], pupUid: pupUid || null, lockerName: lockerName || null };
  }
  throw new TypeError(`${operation} books nothing, expected an operation that creates shipments`);
}

export function soughtBooking(
  { operation, legs, takesOver, booking }: BookInput,
  { request, references, caseNo, priorCaseNo }: WithReferences,
): SoughtBooking {
  return {
    ...(booking !== undefined && { booking }),
    legs,
    stock: flowRulesOfOperation(operation)?.stock ?? [],
    takesOver,
    references,
    caseNo,
    priorCaseNo,
    priorShipmentUid: textField(request, 'priorShipmentUid'),
    fromUserUid: textField(request, 'fromUserUid'),
    toUserUid: textField(request, 'toUserUid'),
    swapsShipmentUid: textField(request, 'swapsShipmentUid'),
    pupUid: request.allowOverflowLockers === false ? textField(request, 'pupUid') : null,
  };
}
