// What the examples of all areas have in common: their type, a shipment of the demo tenant, and a page of one item.
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
