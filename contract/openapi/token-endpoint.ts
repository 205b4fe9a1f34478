// The token request of the OpenAPI document (interface: Authentication; RFC 6749).

import { TOKEN_SCOPE, tokenErrors, tokenRequest, tokenResponse } from '../wire/token.ts';
import { messageSchemas, reference, requestSchemas } from './schemas.ts';

const tokenFailure = {
  type: 'object',
  required: ['error'],
  properties: { error: { enum: Object.keys(tokenErrors) }, error_description: { type: 'string' } },
};

export const tokenSchemas = {
  ...requestSchemas('TokenRequest', tokenRequest),
  ...messageSchemas('TokenAnswer', tokenResponse),
  TokenFailure: tokenFailure,
};

const tokenFailureResponse = (description: string, error: keyof typeof tokenErrors) => ({
  description,
  content: { 'application/json': { schema: reference('TokenFailure'), example: { error } } },
});

export const tokenOperation = {
  operationId: 'GetToken',
  tags: ['Authentication'],
  summary: 'Gives an access token for client credentials',
  description:
    'OAuth 2.0 client credentials (RFC 6749, section 4.4). The credentials come in the form or in HTTP Basic.',
  security: [{}, { clientSecret: [] }],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: reference('TokenRequest'),
        example: {
          grant_type: 'client_credentials',
          scope: TOKEN_SCOPE,
          client_id: 'demo',
          client_secret: 'demo-secret',
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The token. Caches must not store it',
      headers: { 'Cache-Control': { description: 'no-store', schema: { const: 'no-store' } } },
      content: {
        'application/json': {
          schema: reference('TokenAnswer'),
          example: { access_token: 'a-signed-token', token_type: 'bearer', expires_in: 300 },
        },
      },
    },
    400: tokenFailureResponse(
      'The request is not a valid token request with client credentials',
      'invalid_request',
    ),
    401: tokenFailureResponse('The client is unknown or its secret is wrong', 'invalid_client'),
  },
};
