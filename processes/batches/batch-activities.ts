// The activity behind the workflow Batch: it does a command for some processes, by the same module as the command line and the API.
// It keeps each outcome with its heartbeats, so that where its worker dies another one goes on; what had begun by then is looked for
// in the histories first.
import { createHash } from 'node:crypto';
import { activityInfo, Context, cancellationSignal, getClient, heartbeat } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { LockerFlows } from '../../client/locker-flows.ts';
import type {
  BatchActivities,
  BatchCommand,
  BatchItem,
  BatchOutcome,
  BatchRequest,
} from '../../contract/flows/batches.ts';
import type { OutreachSettings } from '../../contract/flows/outreach.ts';
import { shortName } from '../../contract/wire/request-headers.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { forMany } from '../bulk.ts';
import { commands, type DescribedName } from '../commands/commands.ts';
import { type CommandError, type Outcome, orThrow, outcomeOf } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';
import { doneBefore } from './done-before.ts';

/** Those whose outcomes have not been sent are looked for in their histories, if the worker dies. */
const HEARTBEAT_MS = 200;

/** What of this worker a command may need. */
interface Outside {
  readonly service?: Pick<LockerApi, 'onBehalfOf'>;
  readonly outreach?: OutreachSettings;
}

export const batchActivities = (outside: Outside = {}): BatchActivities => ({
  async actOnProcesses({ command: batch, id, items }) {
    const { attempt, heartbeatDetails, scheduledTimestampMs: since } = activityInfo();
    const outcomes: BatchOutcome[] = [...((heartbeatDetails as readonly BatchOutcome[] | undefined) ?? [])];
    const before = new Set(outcomes.map(({ key }) => key));
    const left = new Map(items.filter(({ key }) => !before.has(key)).map((item) => [item.key, item]));
    const requestOf = (item: BatchItem): BatchRequest =>
      item.request ?? { updateId: updateIdOf(id, item.key), since };
    const command = commands[batch.command as DescribedName];
    const inputs = new Map(
      items.map(({ key, fields = batch.fields }) => [key, orThrow(command.read(fields))]),
    );
    const commandContextFor = commandContextIn(batch, command.asksService ? outside : {});
    const act = async (key: string): Promise<Outcome<unknown>> => {
      const item = left.get(key) ?? { key };
      const request = requestOf(item);
      const commandContext = commandContextFor(request);
      const isInDoubt = attempt > 1 || item.request !== undefined;
      const found = isInDoubt
        ? await outcomeOf(async () => await doneBefore(commandContext, command, key, request))
        : undefined;
      if (found?.done === false) return found;
      return (
        found?.value ?? (await command.do({ ...commandContext, parts: item.parts }, key, inputs.get(key)))
      );
    };
    const interrupted = cancellationSignal();
    const all = async () => {
      const pace = { interrupted, perSecond: batch.rate };
      for await (const { key, outcome } of forMany(left.keys(), act, pace))
        outcomes.push(batchOutcome(key, outcome, requestOf(left.get(key) ?? { key })));
    };
    const heartbeats = setInterval(() => heartbeat(outcomes), HEARTBEAT_MS);
    try {
      // Where the worker stops, nobody waits for those under way: another one finds out what became of them.
      await Promise.race([all(), Context.current().cancelled]);
      return outcomes;
    } catch (error) {
      throw interrupted.aborted ? new Error('the worker stops', { cause: error }) : error;
    } finally {
      clearInterval(heartbeats);
    }
  },
});

/** In the name of who has started the batch: Temporal keeps it with each request. */
function commandContextIn(
  { who, flows, identity }: BatchCommand,
  { service, outreach }: Outside,
): (request: BatchRequest) => CommandContext {
  const { connection, options } = getClient();
  const { namespace, loadedDataConverter: dataConverter, interceptors } = options;
  const { taskQueue } = activityInfo();
  const client = new Client({
    connection,
    namespace,
    dataConverter,
    identity,
    ...(interceptors && { interceptors }),
  });
  return ({ updateId }) => ({
    ...who,
    isInBatch: true,
    client,
    taskQueue,
    flows: new LockerFlows(client, { taskQueue, updateId }),
    ...(service && { service: service.onBehalfOf(shortName(who.by, LONGEST_OF_SERVICE)) }),
    ...(outreach && { outreach }),
    ...(flows && { may: (_, flow) => flow === null || flows.includes(flow) }),
  });
}

// Its audit log keeps no longer names.
const LONGEST_OF_SERVICE = 100;

const updateIdOf = (id: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([id, key]))
    .digest('base64url')
    .slice(0, 32);

// Thousands of them stay below what Temporal takes at once.
const MAX_MESSAGE = 200;

function batchOutcome(key: string, outcome: Outcome<unknown>, request: BatchRequest): BatchOutcome {
  if (outcome.done) return { key, outcome: 'done', result: outcome.value ?? null };
  const { code, message } = outcome.error;
  const reason = { code, message: message.slice(0, MAX_MESSAGE) };
  return isKnown(outcome.error)
    ? { key, outcome: 'refused', ...reason }
    : { key, outcome: 'unknown', ...reason, request };
}

/** Whether nothing was done. Who or what else fails may have done it before. */
const isKnown = ({ kind }: CommandError): boolean => kind !== 'unreachable' && kind !== 'failed';
