// The type of a handler: one function for each operation, from a checked request to an answer.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { OperationName, Request, Response } from '../contract/index.ts';
import type { SuggestionFileReader } from './accounts/suggestions/suggestion-file-reader.ts';
import type { DueCallbackAnnouncer } from './callbacks/queue/announce-due-callbacks.ts';
import type { Doors } from './hardware/doors.ts';
import type { WallDoors } from './hardware/wall-doors.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';
import type { Switches } from './switches/switches.ts';

export interface Context {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
  /** The authenticated tenant: the uid for people and logs, the id for SQL. */
  readonly tenantUid: string;
  readonly tenantId: number;
  /** Null: an operator's command. */
  readonly clientId: string | null;
  /** The tenant's main account: the dispatcher, if a shipment names no other party. */
  readonly dispatcherUserUid: string;
  readonly operation: OperationName;
  readonly requestId: string;
  /** The person for whom the client acts, as it says in X-On-Behalf-Of (assumptions: The wire). */
  readonly onBehalfOf: string | null;
  /** The simulated doors of staging. */
  readonly doors: Doors;
  /** The doors of connected walls. */
  readonly wallDoors: WallDoors;
  readonly switches: Switches;
  /** As sent in the Idempotency-Key header (assumptions: The wire). */
  readonly idempotencyKey: string | undefined;
  readonly log: FastifyBaseLogger;
  readonly suggestionFileReader: SuggestionFileReader;
  readonly dueCallbacks: DueCallbackAnnouncer;
}

/** With a success, `message` says what the operation did not do, or warns. */
export type Handler<Name extends OperationName> = (
  request: Request<Name>,
  context: Context,
) => Promise<Response<Name> & { readonly message?: string | undefined }>;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };
