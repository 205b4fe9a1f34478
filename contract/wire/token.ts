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

/** What tokens of the locker service for that API have as `aud`. */
export const FLOWS_AUDIENCE = 'flows_api';

const FLOW_NAME = '[A-Z][A-Za-z0-9_-]{0,63}';
// What RFC 6749 section 3.3 allows in a scope; any other character of an inbox's name is percent-encoded.
const INBOX_NAME = String.raw`[\x21\x23-\x5b\x5d-\x7e]{1,200}`;

/** Every scope of the HTTP API of processes. What each allows is in console/access/rights.ts. */
export const flowScopes = [
  'flows:read',
  'flows:start',
  'flows:start:<Flow>',
  'flows:decide',
  'flows:publish',
  'inbox:<name>',
] as const;

type Named<Scope extends string> = Scope extends `${infer Prefix}<${string}>` ? `${Prefix}${string}` : Scope;
/** One of them, with a name in its place. */
export type FlowScope = Named<(typeof flowScopes)[number]>;

const pattern = flowScopes
  .join('|')
  .replace('<Flow>', FLOW_NAME)
  .replace('<name>', () => INBOX_NAME);

export const flowScope = z
  .string()
  .regex(
    new RegExp(`^(?:${pattern})$`),
    `must be ${flowScopes.slice(0, -1).join(', ')} or ${flowScopes.at(-1)}`,
  );

/** The claim in which a token of the locker service names the tenant of its client. */
export const TENANT_CLAIM = 'tenant';

/** Those that name no flow or inbox. */
export const everyFlowScope: readonly string[] = flowScopes.filter((scope) => !scope.includes('<')).sort();

export const inboxScope = (name: string): FlowScope => `inbox:${encodeURIComponent(name)}`;

/** Whether a client with these scopes may have this one too: who may start every flow may start one. */
export const isGranted = (scope: string, granted: readonly string[]): boolean =>
  granted.includes(scope) || (scope.startsWith('flows:start:') && granted.includes('flows:start'));
