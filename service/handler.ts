// What a handler is given and gives: one function per operation, between a checked request and an answer.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { OperationName, Request, Response } from '../contract/index.ts';
import type { SuggestionFileReader } from './accounts/suggestions/suggestion-file-reader.ts';
import type { DueCallbackAnnouncer } from './callbacks/queue/announce-due-callbacks.ts';
import type { Doors } from './hardware/doors.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';
import type { Switches } from './switches/switches.ts';

export interface Context {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
  /** The authenticated tenant: the uid for people and logs, the id for SQL. */
  readonly tenantUid: string;
  readonly tenantId: number;
  readonly clientId: string;
  /** The tenant's main account: the dispatcher, wherever a shipment names no other party. */
  readonly dispatcherUserUid: string;
  readonly operation: OperationName;
  readonly requestId: string;
  readonly doors: Doors;
  readonly switches: Switches;
  /** As sent in the Idempotency-Key header (assumptions: The wire). */
  readonly idempotencyKey: string | undefined;
  readonly log: FastifyBaseLogger;
  readonly suggestionFileReader: SuggestionFileReader;
  readonly dueCallbacks: DueCallbackAnnouncer;
}

/** A message tells the caller what a success did not do. */
export type Handler<Name extends OperationName> = (
  request: Request<Name>,
  context: Context,
) => Promise<Response<Name> & { readonly message?: string | undefined }>;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };
