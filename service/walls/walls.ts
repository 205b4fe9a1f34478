// The walls that are connected to this instance: one connection for each pick up point. Sends what is to be opened, and asks
// about what is in doubt. Every few seconds it pings them all, and writes to the database which walls it has.
import type { FastifyBaseLogger } from 'fastify';
import type { WallMessage } from '../../contract/index.ts';
import { ThrottledLog } from '../../shared/http/throttled-log.ts';
import { ApiError } from '../api-error.ts';
import { doubtfulCommands, giveUpUnsent, takeUnsent } from '../hardware/wall-commands.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { isOfValidSecret } from '../token/access-tokens.ts';
import type { ApiClients } from '../token/api-clients.ts';
import { GOING_AWAY, type Receiver, type WallConnection } from './connection.ts';
import {
  beginSession,
  closeCodes,
  endSession,
  type Hello,
  renewSessions,
  replaced,
  WallRefused,
} from './session.ts';
import { WallReports, type WallReportsOptions } from './wall-reports.ts';

// Three of them fit into the time after which a silent instance counts as dead (functions/wall-connection.sql).
const BEAT_MS = 2_000;

// Each is written, with all doors, and counted. A wall whose network comes and goes makes some in a minute.
const HELLOS = { burst: 30, perSecond: 0.2 } as const;

// Whoever has the secret of one wall must not take all connections. A wall whose network comes and goes leaves a few behind,
// each for 8 s at most.
const MAX_CONNECTIONS = 16;

export interface WallsOptions extends WallReportsOptions {
  readonly clients: ApiClients;
  readonly log: FastifyBaseLogger;
}

export class Walls implements Receiver {
  readonly #options: WallsOptions;
  readonly #reports: WallReports;
  /** By pick up point, once they have said hello. */
  readonly #connected = new Map<number, WallConnection>();
  readonly #all = new Set<WallConnection>();
  /** By pick up point. */
  readonly #hellos = new RateLimiter(HELLOS);
  /** By pick up point and close code. */
  readonly #refusals = new ThrottledLog<string>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #isClosing = false;
  readonly #working = new Set<Promise<void>>();

  constructor(options: WallsOptions) {
    this.#options = options;
    this.#reports = new WallReports(options);
    options.wallDoors.onAsked = (pickUpPointId) => {
      const connection = this.#connected.get(pickUpPointId);
      if (connection) this.#work(this.#sendUnsent(sessionIdsOf([connection])));
    };
  }

  add(connection: WallConnection): void {
    const { pickUpPointId } = connection.place;
    const others = [...this.#all].filter(({ place }) => place.pickUpPointId === pickUpPointId).length;
    this.#all.add(connection);
    // Walls come again while the work under way is finished; the server would wait for each that stays.
    if (this.#isClosing) connection.close(GOING_AWAY);
    else if (others >= MAX_CONNECTIONS)
      connection.refuse(
        new WallRefused(
          closeCodes.tooMany,
          `a wall has at most ${MAX_CONNECTIONS} connections: end the old ones before you make a new one`,
        ),
      );
    this.#options.wallDoors.listen();
    this.#timer ??= setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, BEAT_MS);
  }

  async hello(connection: WallConnection, hello: Hello): Promise<void> {
    const { database, wallDoors } = this.#options;
    const { place, log } = connection;
    this.#requireFewHellos(connection);
    await this.#requireCredentials(connection);
    const session = await beginSession(database, connection, wallDoors.instanceId, hello);
    connection.session = session;
    this.#connected.get(place.pickUpPointId)?.refuse(replaced());
    this.#connected.set(place.pickUpPointId, connection);
    log.info(
      { pupUid: place.pupUid, controller: hello.controller, taken: session.taken },
      'a wall has connected',
    );
    connection.send({
      type: 'welcome',
      pupUid: place.pupUid,
      name: session.name,
      now: new Date().toISOString(),
      taken: session.taken,
      lockers: [...session.lockers.values()].map(({ lockerUid, lockerName, size }) => ({
        lockerUid,
        lockerName,
        size,
      })),
    });
    await this.#reports.compareCommands(connection, hello);
    await this.#sendUnsent([session.sessionId]);
  }

  #requireFewHellos({ place: { pickUpPointId } }: WallConnection): void {
    try {
      this.#hellos.take(String(pickUpPointId));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new WallRefused(
        closeCodes.tooMany,
        `a wall says hello at most ${HELLOS.burst} times at once and every ${1 / HELLOS.perSecond} s: ${error.message}`,
      );
    }
  }

  take(connection: WallConnection, message: Exclude<WallMessage, { type: 'hello' }>): Promise<void> {
    return this.#reports.take(connection, message);
  }

  async ended(connection: WallConnection): Promise<void> {
    const { place, session, log } = connection;
    this.#all.delete(connection);
    if (!session) return;
    if (this.#connected.get(place.pickUpPointId) === connection) this.#connected.delete(place.pickUpPointId);
    log.info({ pupUid: place.pupUid }, 'a wall is not connected any more');
    await endSession(this.#options.database, session.sessionId).catch((error: unknown) =>
      // It ends by itself: nobody renews it.
      log.warn({ err: error }, 'the end of a wall’s connection was not written'),
    );
  }

  refused({ place: { pupUid }, log }: WallConnection, { message, closeCode }: WallRefused): void {
    this.#refusals.log(`${pupUid} ${closeCode}`, (count) =>
      log.warn({ pupUid, closeCode, count }, `a wall was refused: ${message}`),
    );
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    for (const connection of this.#all) connection.close(GOING_AWAY);
    await this.#beating;
    await Promise.allSettled([...this.#all].map((connection) => connection.done));
    await Promise.allSettled(this.#working);
  }

  async #sendUnsent(sessionIds: readonly string[]): Promise<void> {
    for (const { pickUpPointId, commandId, lockerUid, openBy } of await takeUnsent(
      this.#options.database,
      sessionIds,
    ))
      this.#connected
        .get(pickUpPointId)
        ?.send({ type: 'openDoor', commandId, lockerUid, by: openBy.toISOString() });
  }

  /**
   * Reads the credentials anew: a connection may last for months, and ends within the time in which a token of the same
   * secret does (REVOCATION_DELAY_MS). All that are read at once cost one query.
   */
  async #requireCredentials({ client: { clientId }, token }: WallConnection): Promise<void> {
    const client = await this.#options.clients.find(clientId, 0);
    if (!client || !isOfValidSecret(token, client))
      throw new WallRefused(
        closeCodes.revoked,
        'The secret of this connection was retired or revoked: get a token with the present secret, and connect again',
      );
  }

  async #beat(): Promise<void> {
    const { database, log } = this.#options;
    for (const connection of this.#all) connection.ping();
    try {
      const connected = [...this.#connected.values()];
      if (connected.length === 0) return;
      const sessionIds = sessionIdsOf(connected);
      const renewals = await renewSessions(database, sessionIds);
      await Promise.all(
        connected.map(async (connection) => {
          if (!renewals.has(connection.session?.sessionId ?? '')) return connection.refuse(replaced());
          await this.#requireCredentials(connection).catch((error: unknown) => {
            if (!(error instanceof WallRefused)) throw error;
            connection.refuse(error);
          });
        }),
      );
      await this.#sendUnsent(sessionIds);
      await giveUpUnsent(database, 'its wall was not connected in time');
      for (const { pickUpPointId, commandId } of await doubtfulCommands(database, sessionIds))
        this.#connected.get(pickUpPointId)?.send({ type: 'ask', commandId });
    } catch (error) {
      log.warn(
        { err: error },
        'the connections of walls were not renewed in the database; it is tried again',
      );
    }
  }

  #work(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) =>
        this.#options.log.warn(
          { err: error },
          'a wall was not asked to open a door; it is asked again while the request waits',
        ),
      )
      .finally(() => this.#working.delete(done));
    this.#working.add(done);
  }
}

const sessionIdsOf = (connections: readonly WallConnection[]): string[] =>
  connections.flatMap(({ session }) => session?.sessionId ?? []);
