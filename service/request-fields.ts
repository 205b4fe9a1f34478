// What the service keeps with a request while it is under way, and with a route.
import type { FastifyInstance } from 'fastify';
import type { ErrorCode, OperationName, TokenErrorCode } from '../contract/index.ts';
import type { ApiClient } from './token/api-clients.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller of an operation. */
    apiClient: ApiClient | null;
    /** The code that the request was refused with, for the log. */
    failureCode: ErrorCode | TokenErrorCode | null;
  }
  interface FastifyContextConfig {
    operation?: OperationName;
    /** Asked every few seconds by machines: logged at debug level as long as all is well. */
    quiet?: boolean;
  }
}

export function addRequestFields(app: FastifyInstance): void {
  app.decorateRequest('apiClient', null);
  app.decorateRequest('failureCode', null);
}
