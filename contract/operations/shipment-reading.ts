// The rows of the operations that read shipments, pick up points and lockers, and that tell all about one shipment, for support.
// ASSUMPTION: assumptions: Reading; Operating; the interface names only GetShipmentAccessCode and shows none of the shapes.

import { z } from 'zod';
import { withRules } from '../wire/field-rule.ts';
import {
  answerCount,
  answerFlag,
  answerList,
  answerNumber,
  answerText,
  cursor,
  instant,
  optionalFlag,
  optionalText,
  optionalUid,
  text,
  uid,
} from '../wire/fields.ts';
import { operation } from './operation.ts';

const reading = { effect: 'none', source: 'assumptions: Reading' } as const;

// A page of 500 rows is some 200 kB of JSON; a larger one would delay the other requests of the process.
export const MAXIMUM_PAGE_SIZE = 500;

export const page = {
  pageNo: z.number().int().min(1).max(1_000_000),
  pageSize: z.number().int().min(1).max(MAXIMUM_PAGE_SIZE),
};
/** An answer without items is invalid: to read it as an empty page would say that there are no items. */
export const pageOf = <Item extends z.ZodObject>(item: Item) =>
  z.object({
    items: answerList(item),
    pageNo: answerCount,
    pageSize: answerCount,
    totalItems: answerCount,
    totalPages: answerCount,
  });
export const shipmentOrders = ['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const;

/**
 * Ours: with more items, totals are null, and the client reads on by cursor. To count or skip rows, Postgres has to read
 * them.
 */
export const MAX_COUNTED_ITEMS = 10_000;

/** Pages of at most so many rows, up to the last page number that the limit permits. */
const pagesOf = (rows: number) =>
  ({
    all: [{ atMost: ['pageSize', rows] }, { atMost: ['pageNo', Math.floor(MAX_COUNTED_ITEMS / rows) + 1] }],
  }) as const;

const shipmentQuery = withRules(
  z.object({
    ...page,
    /**
     * Ours: the nextCursor of the page before. It takes the place of pageNo; the rest of the request must stay the same.
     */
    cursor,
    activeShipments: optionalFlag,
    shipmentState: z.array(text).max(50).nullish(),
    userUid: optionalUid,
    bookedPupUid: optionalUid,
    shipmentUid: optionalUid,
    referenceNo: optionalText,
    referenceCaseNo: optionalText,
    updatedSince: instant.nullish(),
    sortBy: z.enum(shipmentOrders).nullish(),
  }),
  [
    // The last permitted page depends on pageNo times pageSize, which JSON Schema cannot express. The service checks it;
    // the pages allowed here are always permitted.
    {
      must: { any: [{ given: 'cursor' }, pagesOf(10), pagesOf(100), pagesOf(MAXIMUM_PAGE_SIZE)] },
      refusals: [],
    },
  ],
);

export const shipmentRecord = z.object({
  shipmentUid: answerText,
  shipmentType: answerText,
  stateCode: answerText,
  stateStart: answerText,
  referenceNo: answerText,
  referenceCaseNo: answerText,
  description: answerText,
  fromUserUid: answerText,
  toUserUid: answerText,
  pupUid: answerText,
  lockerName: answerText,
  swapsShipmentUid: answerText,
  priorShipmentUid: answerText,
  circularPriorShipmentUid: answerText,
  /** Ours. */
  lastPickUpAt: answerText,
});
export type ShipmentRecord = z.infer<typeof shipmentRecord>;

const locker = z.object({
  lockerUid: answerText,
  lockerName: answerText,
  size: answerText,
  free: answerFlag,
});

const listOf = (what: string) =>
  operation({
    ...reading,
    meaning: `Lists ${what}, page by page`,
    request: shipmentQuery,
    // Ours: nextCursor gets the page after this one; it is null on the last page. Other services do not have it.
    response: pageOf(shipmentRecord).extend({ nextCursor: answerText.optional() }),
    errors: [],
  });

export const shipmentReading = {
  GetShipmentAccessCode: operation({
    ...reading,
    audited: true,
    meaning: 'Returns the access codes of a shipment',
    request: z.object({ shipmentUid: uid }),
    response: z.object({ shipmentUid: answerText, pickUpCode: answerText, deliveryCode: answerText }),
    errors: ['InvalidShipment'],
  }),
  GetShipments: listOf('shipments'),
  GetLocalShipments: listOf('shipments of type LocalPupShipment'),
  GetCollectOnlyShipments: listOf('shipments of type CollectOnlyShipment'),
  GetPickUpPoints: operation({
    ...reading,
    meaning: 'Lists pick up points, with their lockers if asked for, page by page',
    request: z.object({
      ...page,
      pupUid: optionalUid,
      searchText: optionalText,
      includeDetails: optionalFlag,
    }),
    response: pageOf(
      z.object({
        pupUid: answerText,
        name: answerText,
        timeZone: answerText,
        city: answerText,
        countryCode: answerText,
        lockers: answerList(locker).nullish().catch(null),
      }),
    ),
    errors: [],
  }),
};

const ofOneShipment = {
  source: 'assumptions: Operating',
  effect: 'none',
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
    meaning: 'Returns a shipment by its uid, with its locker and whether its item was left behind there',
    response: shipmentRecord.extend({ lockerUid: answerText, updatedAt: answerText, isItemLeft: answerFlag }),
  }),
  GetShipmentObjects: operation({
    ...ofOneShipment,
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
          why: answerText,
          requestId: answerText,
        }),
      ),
      isComplete: answerFlag,
    }),
  }),
};
