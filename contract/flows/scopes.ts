// The scopes of access tokens for the HTTP API of processes, and their audience. The locker service issues such tokens, any
// other OAuth 2 server may, and the API checks them.
import { z } from 'zod';

/** What tokens of the locker service for that API have as `aud`. */
export const FLOWS_AUDIENCE = 'flows_api';

const FLOW_NAME = '[A-Z][A-Za-z0-9_-]{0,63}';
// What RFC 6749 section 3.3 allows in a scope; any other character of an inbox's name is percent-encoded.
const INBOX_NAME = String.raw`[\x21\x23-\x5b\x5d-\x7e]{1,200}`;
const SCOPE = new RegExp(`^(?:flows:(?:read|decide|publish|start(?::${FLOW_NAME})?)|inbox:${INBOX_NAME})$`);

export const flowScope = z
  .string()
  .regex(
    SCOPE,
    'must be flows:read, flows:start, flows:start:<Flow>, flows:decide, flows:publish or inbox:<name>',
  );

/** The claim in which a token of the locker service names the tenant of its client. */
export const TENANT_CLAIM = 'tenant';

/** Those of a client that may do everything. */
export const everyFlowScope = ['flows:decide', 'flows:publish', 'flows:read', 'flows:start'] as const;

/** The scope of one inbox. */
export const inboxScope = (name: string): string => `inbox:${encodeURIComponent(name)}`;

/** Whether a client with these scopes may have this one too: who may start every flow may start one. */
export const isGranted = (scope: string, granted: readonly string[]): boolean =>
  granted.includes(scope) || (scope.startsWith('flows:start:') && granted.includes('flows:start'));
