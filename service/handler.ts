// The type of a handler: one function for each operation, from a checked request to an answer.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { OperationName, Request, Response } from '../contract/index.ts';
import type { AuditedRequest } from './audited-request.ts';
import type { DueCallbackAnnouncer } from './due-callbacks.ts';
import type { WallDoors } from './hardware/wall-doors.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';
import type { Switches } from './switches/switches.ts';

/** What all requests have in common. */
export interface Services {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
  /** The doors of connected walls. */
  readonly wallDoors: WallDoors;
  readonly dueCallbacks: DueCallbackAnnouncer;
}

export interface Context extends Services, AuditedRequest {
  /** The authenticated tenant's name for people and logs; the id is for SQL. */
  readonly tenantUid: string;
  /** The tenant's main account: the dispatcher, if a shipment names no other party. */
  readonly dispatcherUserUid: string;
  readonly operation: OperationName;
  readonly switches: Switches;
  /** As sent in the Idempotency-Key header (assumptions: The wire). */
  readonly idempotencyKey: string | undefined;
  readonly log: FastifyBaseLogger;
}

/** With a success, `message` says what the operation did not do, or warns. */
export type Handler<Name extends OperationName> = (
  request: Request<Name>,
  context: Context,
) => Promise<Response<Name> & { readonly message?: string | undefined }>;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };
