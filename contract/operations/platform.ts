// The rows of the operations that set up a tenant and look after it: the callback address, and the audit log.
// ASSUMPTION: assumptions: Reading; the interface says "Registration of the callback address: not shown".
import { z } from 'zod';
import { callbackKey } from '../wire/callback.ts';
import { rule, withRules } from '../wire/field-rule.ts';
import {
  answerFlag,
  answerList,
  answerText,
  cursor,
  instant,
  optionalFlag,
  optionalText,
  optionalUid,
  webAddress,
} from '../wire/fields.ts';
import { operation } from './operation.ts';
import { MAXIMUM_PAGE_SIZE } from './shipment-reading.ts';

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
          why: answerText,
          operation: answerText,
          uids: z.array(z.string()).default([]).catch([]),
          outcome: answerText,
          requestId: answerText,
          lastedSince: answerText,
        }),
      ),
      nextCursor: answerText,
    }),
    errors: [],
  }),
};
