// The fields that the service adds to a request while it is under way, and to a route.
import type { FastifyInstance } from 'fastify';
import type { ErrorCode, OperationName, TokenErrorCode } from '../contract/index.ts';
import type { VerifiedToken } from './token/access-tokens.ts';
import type { ApiClient } from './token/api-clients.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller of an operation. */
    apiClient: ApiClient | null;
    /** What its access token says. */
    accessToken: VerifiedToken | null;
    /** The error code of a refusal, for the log. */
    failureCode: ErrorCode | TokenErrorCode | null;
    /** The checked request and its answer, for what they name in the log. */
    bodies: readonly object[] | null;
  }
  interface FastifyContextConfig {
    operation?: OperationName;
    /** Machines call it every few seconds: logged at debug level unless it fails. */
    quiet?: boolean;
  }
}

export function addRequestFields(app: FastifyInstance): void {
  app.decorateRequest('apiClient', null);
  app.decorateRequest('accessToken', null);
  app.decorateRequest('failureCode', null);
  app.decorateRequest('bodies', null);
}
