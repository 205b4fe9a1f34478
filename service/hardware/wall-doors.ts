// Between the requests that wait for a wall's door and the connection that has the wall, within this instance and between
// instances (NOTIFY). No transaction is open while anything waits here. A lost notification only costs time: waiting
// requests and connections look for themselves, too.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import type { Database } from '../storage/database.ts';
import { Listener } from '../storage/listener.ts';
import { type CommandOutcome, giveUpUnsent, knownOutcomes } from './wall-commands.ts';

const CHANNEL = 'walls';
const LOOK_EVERY_MS = 500;

/** What one instance tells another. */
type Notification = { readonly asked: number } | { readonly settled: string };

interface WallDoorsOptions {
  readonly database: Kysely<Database>;
  readonly databaseUrl: string;
  readonly log: FastifyBaseLogger;
}

export class WallDoors {
  /** Names this process among the instances of the service. */
  readonly instanceId = randomUUID();
  /** Called when a wall of this instance may have something to open. */
  onAsked: (pickUpPointId: number) => void = () => undefined;
  readonly #database: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #listener: Listener;
  readonly #waiting = new Map<string, Set<(outcome: CommandOutcome) => void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor({ database, databaseUrl, log }: WallDoorsOptions) {
    this.#database = database;
    this.#log = log;
    this.#listener = new Listener({
      databaseUrl,
      channel: CHANNEL,
      applicationName: 'lockerflow-walls',
      onWake: (payload) => this.#receive(payload),
      onError: (error) =>
        log.warn(
          { err: error },
          'the connection that listens for the outcomes of openings broke; this instance polls until it is back',
        ),
    });
  }

  /** Only an instance that has a wall, or waits for one, needs the connection. */
  listen(): void {
    this.#listener.start();
  }

  /** After the commit: tells the instance that has the wall's connection. */
  async asked(pickUpPointId: number, instanceId: string | null): Promise<void> {
    if (instanceId === this.instanceId) this.onAsked(pickUpPointId);
    else await this.#notify({ asked: pickUpPointId });
  }

  /** After the commit: tells the request that waits, if it waits at another instance. */
  async settled(outcome: CommandOutcome, instanceId: string | null): Promise<void> {
    this.#resolve(outcome);
    if (instanceId !== null && instanceId !== this.instanceId)
      await this.#notify({ settled: outcome.commandId });
  }

  /** Undefined if the outcome is not known in time. */
  async outcomeOf(commandId: string, withinMs: number): Promise<CommandOutcome | undefined> {
    this.listen();
    const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
    const others = this.#waiting.get(commandId) ?? new Set();
    this.#waiting.set(commandId, others.add(resolve));
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS);
    // It may have been settled before this waits.
    void this.#look();
    try {
      using limit = new TimeLimit(withinMs);
      return await limit.race(promise);
    } catch (error) {
      if (!(error instanceof TimeLimitReached)) throw error;
      // A command that never went out is not in doubt: nobody will send it any more.
      await giveUpUnsent(this.#database, 'its wall was not connected in time');
      const [outcome] = await knownOutcomes(this.#database, [commandId]);
      return outcome;
    } finally {
      others.delete(resolve);
      if (others.size === 0) this.#waiting.delete(commandId);
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listener.stop();
    await this.#looking;
  }

  #receive(payload: string | undefined): void {
    if (payload === undefined) return void this.#look();
    const word = JSON.parse(payload) as Notification;
    if ('asked' in word) this.onAsked(word.asked);
    else if (this.#waiting.has(word.settled)) void this.#look();
  }

  /** One statement for all that wait here. */
  #look(): Promise<void> {
    // Before the look begins: one that ended without waiting for anything would count as under way for ever.
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#looking ??= (async () => {
      try {
        for (const outcome of await knownOutcomes(this.#database, [...this.#waiting.keys()]))
          this.#resolve(outcome);
      } catch (error) {
        this.#log.warn(
          { err: error },
          'the outcomes of openings could not be read; they are read again soon',
        );
      } finally {
        this.#looking = undefined;
      }
    })();
    return this.#looking;
  }

  #resolve(outcome: CommandOutcome): void {
    for (const resolve of this.#waiting.get(outcome.commandId) ?? []) resolve(outcome);
  }

  async #notify(word: Notification): Promise<void> {
    // Nothing is written, so there is no reason to wait for the disk.
    await sql`
      select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${JSON.stringify(word)})
    `
      .execute(this.#database)
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'another instance was not told of an opening; it finds it by polling'),
      );
  }
}
