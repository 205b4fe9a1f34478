// The rows of the operations that set up a tenant and look after it: the callback address, and the audit log.
// ASSUMPTION: assumptions: Reading; the interface says "Registration of the callback address: not shown".

import { z } from 'zod';
import { callbackKey } from '../wire/callback.ts';
import { rule, withRules } from '../wire/field-rule.ts';
import {
  answerFlag,
  answerList,
  answerNumber,
  answerText,
  cursor,
  flag,
  instant,
  optionalFlag,
  optionalText,
  optionalUid,
  uid,
  webAddress,
} from '../wire/fields.ts';
import { operation } from './operation.ts';
import { MAXIMUM_PAGE_SIZE, page, pageOf } from './shipment-reading.ts';

export const callbackAuthTypes = ['None', 'HMAC', 'ApiKey'] as const;
export type CallbackAuthType = (typeof callbackAuthTypes)[number];

const configuration = withRules(
  z.object({
    url: webAddress.nullable(),
    authType: z.enum(callbackAuthTypes),
    resetKey: optionalFlag,
    authKey: callbackKey.nullish(),
    extraFields: optionalFlag,
    accessMessages: optionalFlag,
  }),
  [
    rule(
      'authKey',
      { not: { all: [{ given: 'authKey' }, { isTrue: 'resetKey' }] } },
      'must not be given when resetKey is true: send a key of your own, or let the service make one',
    ),
    rule(
      'authKey',
      {
        any: [
          { not: { given: 'authKey' } },
          { not: { is: ['authType', 'ApiKey'] } },
          { matches: ['authKey', '^[\\x21-\\x7e]+$'] },
        ],
      },
      'must have visible ASCII characters only, because authType ApiKey sends it as a header',
    ),
    // The service checks plain http addresses, not this schema: only name resolution shows whether an address stays on one
    // machine.
    {
      must: {
        any: [
          { not: { given: 'url' } },
          { not: { is: ['authType', 'ApiKey'] } },
          { matches: ['url', '^https:'] },
        ],
      },
      refusals: [],
    },
  ],
);

export const platform = {
  ConfigureCallback: operation({
    meaning:
      'Sets the address of the status callbacks and how they are authenticated, or stops the callbacks',
    source: 'assumptions: Reading',
    effect: 'repeatable',
    answersKeys: true,
    request: configuration,
    response: z.object({
      url: answerText,
      authType: answerText,
      changed: answerFlag,
      authKey: answerText,
      signingKey: answerText,
      extraFields: answerFlag,
      accessMessages: answerFlag,
    }),
    errors: [],
  }),
  GetAuditLog: operation({
    meaning:
      'Lists what API clients and operators did for this tenant and the outcome of each action, the latest first',
    source: 'assumptions: Reading',
    effect: 'none',
    request: z.object({
      pageSize: z.number().int().min(1).max(MAXIMUM_PAGE_SIZE),
      cursor,
      clientId: optionalText,
      operation: optionalText,
      uid: optionalUid,
      since: instant.nullish(),
      until: instant.nullish(),
    }),
    response: z.object({
      items: answerList(
        z.object({
          occurredAt: answerText,
          clientId: answerText,
          onBehalfOf: answerText,
          operation: answerText,
          uids: z.array(z.string()).default([]).catch([]),
          outcome: answerText,
          requestId: answerText,
        }),
      ),
      nextCursor: answerText,
    }),
    errors: [],
  }),
};

// The rows of the operations on lockers, for the software of an operator: what is with each locker, and what people did
// to it. ASSUMPTION: assumptions: Operating; the interface has no operation on a locker.

const source = 'assumptions: Operating';

/** The state of a locker: the first of these that applies, in this order: Booked, OutOfOrder, ToBeEmptied, Free. */
const lockerStates = ['Free', 'Booked', 'OutOfOrder', 'ToBeEmptied'] as const;

const heldBy = z.object({
  shipmentUid: answerText,
  shipmentType: answerText,
  stateCode: answerText,
  fromUserUid: answerText,
  toUserUid: answerText,
});

const lastAccess = z.object({ occurredAt: answerText, accessGoal: answerText, shipmentUid: answerText });

const innerDimension = z.object({ width: answerNumber, height: answerNumber, length: answerNumber });

const doorFailure = z.object({ occurredAt: answerText, reason: answerText });

export const lockers = {
  GetLockers: operation({
    meaning: 'Lists lockers with their size, state and door, what holds each, and its last access',
    source,
    effect: 'none',
    request: z.object({
      ...page,
      pupUid: optionalUid,
      lockerUid: optionalUid,
      lockerState: z.array(z.enum(lockerStates)).max(lockerStates.length).nullish(),
      doorStayedShut: optionalFlag,
    }),
    response: pageOf(
      z.object({
        lockerUid: answerText,
        lockerName: answerText,
        pupUid: answerText,
        size: answerText,
        innerDimension: innerDimension.nullish().catch(null),
        state: answerText,
        outOfOrder: answerFlag,
        toBeEmptied: answerFlag,
        leftShipmentUid: answerText,
        door: answerText,
        doorFailure: doorFailure.nullish().catch(null),
        lastAccess: lastAccess.nullish().catch(null),
        shipments: answerList(heldBy).default([]).catch([]),
      }),
    ),
    errors: [],
  }),
  SetLockerOutOfOrder: operation({
    meaning: 'Takes a locker out of order, so that no booking gets it, or puts it in order again',
    source,
    effect: 'repeatable',
    request: z.object({ lockerUid: uid, outOfOrder: flag }),
    response: z.object({ lockerUid: answerText, outOfOrder: answerFlag, changed: answerFlag }),
    errors: ['InvalidLockerUid'],
  }),
  SetLockerEmptied: operation({
    meaning: 'Says that a person took out the item that was left behind in a locker, and frees the locker',
    source,
    effect: 'repeatable',
    request: z.object({ lockerUid: uid }),
    response: z.object({ lockerUid: answerText, changed: answerFlag }),
    errors: ['InvalidLockerUid'],
  }),
};
