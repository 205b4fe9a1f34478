// The token service's request, answer and errors (interface: Authentication; RFC 6749 sections 4.4 and 5).
import { z } from 'zod';

export const TOKEN_PATH = '/connect/token';
export const TOKEN_SCOPE = 'integration_api';

/** The form of the request. The credentials may come in HTTP Basic instead (assumptions: The wire). */
export const tokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  scope: z.string().optional(),
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
});

// ASSUMPTION: a token without expires_in, which RFC 6749 section 5.1 only recommends, is valid for a minute.
const UNKNOWN_LIFETIME_SECONDS = 60;

export const tokenResponse = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i, 'expected bearer'),
  expires_in: z.coerce.number().positive().catch(UNKNOWN_LIFETIME_SECONDS),
});
export type TokenResponse = z.infer<typeof tokenResponse>;

/** RFC 6749 section 5.2: the HTTP status of each code. */
export const tokenErrors = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;
export type TokenErrorCode = keyof typeof tokenErrors;
