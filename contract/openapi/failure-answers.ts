// The failing answers of the OpenAPI document: for each HTTP status the codes that come with it, each with an example.

import { encodeFailure } from '../operations/parse.ts';
import { type ErrorCode, errors, genericErrorCodes } from '../wire/errors.ts';
import { IDEMPOTENCY_KEY_REUSED_STATUS } from '../wire/request-headers.ts';
import { reference } from './schemas.ts';

export const failureSchema = {
  type: 'object',
  required: ['success', 'error', 'message'],
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'Error code', examples: ['InvalidRequest'] },
    message: { type: ['string', 'null'], description: 'What was wrong, which field, and what was expected' },
  },
};

const text = (description: string) => ({ description, schema: { type: 'string' } });
const statusHeaders: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': text('Bearer, and why the token was refused') },
  429: { 'Retry-After': text('Seconds until the next try') },
};

function failure(status: number, codes: readonly ErrorCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}.`).join('\n\n'),
    ...(statusHeaders[status] ? { headers: statusHeaders[status] } : {}),
    content: {
      'application/json': {
        schema: { ...reference('Failure'), properties: { error: { enum: codes } } },
        examples: Object.fromEntries(codes.map((code) => [code, { value: encodeFailure(code, null) }])),
      },
    },
  };
}

const IDEMPOTENCY_KEY_REUSED = 'IdempotencyKeyReused';

/** Failures that several operations share: the generic ones, named by their code, and the Idempotency-Key's. */
export const sharedFailures = {
  ...Object.fromEntries(genericErrorCodes.map((code) => [code, failure(errors[code].status, [code])])),
  [IDEMPOTENCY_KEY_REUSED]: {
    ...failure(IDEMPOTENCY_KEY_REUSED_STATUS, ['InvalidRequest']),
    description: '`InvalidRequest`: The Idempotency-Key was used with another body within 24 hours.',
  },
};

/** Whether the operation accepts an Idempotency-Key. */
export const reusedKeyFailure = {
  [IDEMPOTENCY_KEY_REUSED_STATUS]: { $ref: `#/components/responses/${IDEMPOTENCY_KEY_REUSED}` },
};

/** An operation's failing answers by status: its own codes together with the generic ones of the same status. */
export function failuresByStatus(own: readonly ErrorCode[]): Record<string, object> {
  const codes = [...own, ...genericErrorCodes];
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => errors[code].status === status);
      const [only] = here;
      const generic = here.length === 1 && only !== undefined && only in sharedFailures;
      return [status, generic ? { $ref: `#/components/responses/${only}` } : failure(status, here)];
    }),
  );
}
