// The row of the operation that registers the callback address.
// ASSUMPTION: assumptions: Reading; the interface says "Registration of the callback address: not shown".
import { z } from 'zod';
import { callbackKey } from '../wire/callback.ts';
import { answerFlag, answerText, optionalFlag, webAddress } from '../wire/fields.ts';
import { operation } from './operation.ts';

export const callbackAuthTypes = ['None', 'HMAC', 'ApiKey'] as const;
export type CallbackAuthType = (typeof callbackAuthTypes)[number];

export const platform = {
  ConfigureCallback: operation({
    path: '/v1/Platform/ConfigureCallback',
    meaning: 'Sets or stops the address that status callbacks are sent to, and how they are authenticated',
    source: 'assumptions: Reading',
    effect: 'repeatable',
    body: 'json',
    request: z.object({
      url: webAddress.nullable(),
      authType: z.enum(callbackAuthTypes),
      resetKey: optionalFlag,
      authKey: callbackKey.nullish(),
    }),
    response: z.object({
      url: answerText,
      authType: answerText,
      changed: answerFlag,
      authKey: answerText,
      signingKey: answerText,
    }),
    errors: [],
  }),
};
