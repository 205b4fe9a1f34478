// What a wall reports: its journal, and what became of each command that it was sent. An outcome counts once; the request that
// waits for it is told.
import type { Kysely } from 'kysely';
import type { WallMessage } from '../../contract/index.ts';
import type { DueCallbackAnnouncer } from '../due-callbacks.ts';
import { countDoor } from '../hardware/doors.ts';
import type { WallDoors } from '../hardware/wall-doors.ts';
import type { SettlingContext } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { SwitchBoard } from '../switches/switches.ts';
import type { WallConnection } from './connection.ts';
import { takeMessage } from './journal.ts';
import { type Hello, requireCurrent } from './session.ts';
import { commandsOf, type ReportedOutcome, type SettledCommand, settleCommand } from './settle-command.ts';

export interface WallReportsOptions {
  readonly database: Kysely<Database>;
  readonly wallDoors: WallDoors;
  readonly dueCallbacks: DueCallbackAnnouncer;
  readonly switchBoard: SwitchBoard;
}

export class WallReports {
  readonly #options: WallReportsOptions;

  constructor(options: WallReportsOptions) {
    this.#options = options;
  }

  async take(connection: WallConnection, message: Exclude<WallMessage, { type: 'hello' }>): Promise<void> {
    const { place, client, session, aheadMs } = connection;
    if (!session) throw new TypeError('a message was taken before hello');
    // The wall has written down what it was told: nothing depends on that, its next hello says what it knows.
    if (message.type === 'taken') return;
    if (message.type === 'commandState') {
      const { commandId, state } = message;
      if (state !== 'waiting') await this.#settle(connection, { commandId, state });
      return;
    }
    const { database } = this.#options;
    const context = await this.#settlingContext(connection);
    const sender = { ...context, database, client, place, session, aheadMs };
    const { answers, settled } = await takeMessage(sender, message);
    connection.send({ type: 'taken', id: message.id });
    for (const answer of answers) connection.send(answer);
    if (settled) await this.#notifySettled(connection, settled);
  }

  /** For each command that the wall was sent: the wall says what became of it, or it is asked. Nothing is guessed. */
  async compareCommands(connection: WallConnection, { commands }: Hello): Promise<void> {
    const { place } = connection;
    const known = await commandsOf(
      this.#options.database,
      place.pickUpPointId,
      commands.map(({ commandId }) => commandId),
    );
    const listed = new Set(commands.map(({ commandId }) => commandId));
    for (const { commandId, state } of commands)
      if (known.settled.has(commandId) || !known.sent.has(commandId))
        connection.send({ type: 'forget', commandId });
      else if (state !== 'waiting') await this.#settle(connection, { commandId, state });
    for (const commandId of known.sent)
      if (!listed.has(commandId)) connection.send({ type: 'ask', commandId });
  }

  async #settle(
    connection: WallConnection,
    { commandId, state }: { readonly commandId: string; readonly state: 'opened' | 'failed' | 'unknown' },
  ): Promise<void> {
    const context = await this.#settlingContext(connection);
    const reported: ReportedOutcome = {
      commandId,
      pickUpPointId: connection.place.pickUpPointId,
      outcome: state === 'opened' ? 'Opened' : 'StayedShut',
      reason: state === 'failed' ? 'its wall says that it stayed shut' : 'its wall was not reached',
      openedAt: null,
    };
    const settled = await inTransaction(this.#options.database, async (transaction) => {
      await requireCurrent(transaction, connection);
      return await settleCommand(transaction, reported, context);
    });
    connection.send({ type: 'forget', commandId });
    if (settled) await this.#notifySettled(connection, settled);
  }

  async #settlingContext({ client: { tenantId } }: WallConnection): Promise<SettlingContext> {
    const { dueCallbacks, switchBoard } = this.#options;
    return { dueCallbacks, switches: await switchBoard.of(tenantId) };
  }

  async #notifySettled({ log }: WallConnection, settled: SettledCommand): Promise<void> {
    const { outcome, meaning, commandId, shipmentUid, operation, reason } = settled;
    countDoor(outcome, meaning);
    if (meaning === 'Stale' || meaning === 'Contradictory')
      log.warn(
        { commandId, shipmentUid, operation, meaning, reason },
        'a door opened, and its shipment did not change: a person should look (wall openings lists them)',
      );
    await this.#options.wallDoors.settled(settled, settled.instanceId);
  }
}
