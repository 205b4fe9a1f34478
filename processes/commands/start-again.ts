// The command `startAgain`: the same flow anew, with the input of a process that has ended without a result. Temporal gives the key
// of such a process free. What it had booked is undone, or known: where it may not be, nobody books a second time unawares.
import { z } from 'zod';
import { FlowNotFound, KeyNotFree } from '../../client/flow-errors.ts';
import { FlowNotPublished } from '../../client/flow-files/flow-not-published.ts';
import { grpcFailureOf } from '../../client/grpc-failure.ts';
import { startedWith } from '../../client/started-with.ts';
import type { StartedAgainAfter } from '../../contract/flows/search-attributes.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { t } from '../../shared/texts/text.ts';
import { shipmentAt } from '../locker-service.ts';
import { type CommandError, refused } from '../outcome.ts';
import { attributionOf, type CommandContext, callTemporal } from '../temporal-context.ts';
import { formatFlowName, formatName, formatState } from '../views/format-names.ts';
import { movedToOf } from '../views/moved-to.ts';
import { newKey } from '../views/process-fields.ts';
import { shipmentsIn } from '../views/progress.ts';
import { isCutShort, ProcessReader, type ProcessSnapshot } from '../views/shown-process.ts';
import { WholeOperations } from '../views/whole-operations.ts';
import { type Command, command, type Described, type ProcessCommand, requireStart } from './command.ts';
import { endedWithResult, keyHolderOf } from './key-holder.ts';
import { changesOf, type FieldChange, mergePatch } from './merge-patch.ts';
import { besidePlace, type PlaceChange, placesOf } from './places-asked-for.ts';
import { startBeforeOf } from './start-before.ts';

const input = z.strictObject({
  change: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      description: 'What differs from its input, as a JSON merge patch (RFC 7396); the rest stays as it was',
      examples: [{ request: { pupUid: 'pup-north' }, waitForLocker: 'PT1H' }],
    }),
  newKey: newKey
    .optional()
    .meta({ description: 'The key of the new process; left out: the same. One with a result keeps its key' }),
  runId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Of the process as it was read: refused if it has been started again since' }),
  evenIfBooked: z
    .literal(true, { error: 'must be true, or be left out' })
    .optional()
    .meta({ description: 'Also where it may still have a locker, and a second one would be booked' }),
});
type Input = z.infer<typeof input>;

export interface StartAgainPreview {
  readonly flow: string;
  readonly key: string;
  /** All of it, as it would be started. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly changes: readonly FieldChange[];
  /** Null: no other locker is asked for, or the service does not tell its name. */
  readonly place: PlaceChange | null;
}

export interface StartedAgain {
  readonly flow: string;
  readonly key: string;
  readonly runId: string;
}

const described: Described = {
  meaning:
    'Starts a process again that has ended without a result, with the input that it had; parts of it may be changed',
  example: { change: { request: { pupUid: 'pup-north' } }, why: 'the wall was full' },
  isOfEnded: true,
  alsoNeeds: 'start',
  // The page has a form of its own for it.
  forms: {},
};

export const startAgain: Command<Input, StartAgainPreview, StartedAgain> &
  Described &
  Pick<ProcessCommand<Input, StartedAgain>, 'doneSince'> = {
  ...described,
  // It runs, or has ended, anew: another one would be one too many.
  async doneSince(commandContext, key, since) {
    const handle = commandContext.client.workflow.getHandle(key);
    const { startTime, type: flow, runId } = await callTemporal(commandContext, () => handle.describe());
    return startTime.getTime() >= since ? { flow, key, runId } : undefined;
  },
  ...command<Input, StartAgainPreview, StartedAgain, string>({
    name: 'startAgain',
    right: 'decide',
    why: 'needed',
    input,
    async flowOf(commandContext, key) {
      const flow = await new ProcessReader(commandContext).flowOf(key);
      requireStart(commandContext, flow);
      return flow;
    },
    async preview(commandContext, key, given) {
      const { before, after: _, ...read } = await readStart(commandContext, key, given);
      const isOther = besidePlace(read.changes, {}).length < read.changes.length;
      return {
        ...read,
        place: isOther ? await placesOf(commandContext, before.request, read.input.request) : null,
      };
    },
    async act(commandContext, key, given) {
      const start = await readStart(commandContext, key, given);
      try {
        const who = attributionOf(commandContext);
        const runId = await commandContext.flows.startNew(
          start.flow,
          start.key,
          start.input,
          who,
          start.after,
        );
        return { flow: start.flow, key: start.key, runId };
      } catch (error) {
        if (!(error instanceof KeyNotFree)) throw error;
        // Somebody else was faster.
        throw (await refusalOfKey(commandContext, start.key)) ?? error;
      }
    },
    formatPreview: ({ flow, key, changes, place }) => {
      const changed = [...besidePlace(changes, place).map(formatChange), ...(place ? [place.to] : [])].join(
        ', ',
      );
      return t`${formatFlowName(flow)} starts again as ${key}, with the input that it had${changed && t`, but ${changed}`}`;
    },
    formatResult: ({ flow, key }) => t`${formatFlowName(flow)} ${key} is started again`,
  }),
};

export function formatChange({ field, from, to }: FieldChange): string {
  const parts = field
    .replace(/^request\./, '')
    .replace(/pupUid$/, 'pickUpPoint')
    .split('.');
  const name = parts.map((part) => formatName(part).toLowerCase()).join(', ');
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (to === null) return t`without ${name}`;
  return from === null ? t`with ${name} ${text(to)}` : t`with ${name} ${text(to)} in place of ${text(from)}`;
}

interface Read extends Omit<StartAgainPreview, 'place'> {
  /** The input that it had. */
  readonly before: Fields;
  readonly after: StartedAgainAfter;
}

/** Throws what says why it cannot be started again. */
async function readStart(commandContext: CommandContext, key: string, given: Input): Promise<Read> {
  const { change = {}, newKey: other, runId, evenIfBooked } = given;
  const snapshot = await new ProcessReader(commandContext).snapshot(key, { asksOpen: false });
  const { flow, status, runId: current } = snapshot.process;
  if (runId !== undefined && runId !== current)
    throw refused(
      'StartedAgain',
      t`${key} has been started again since it was read: look at it as it is now`,
    );
  const refusal =
    status === 'Running' || other === undefined ? await refusalOfKey(commandContext, key) : undefined;
  if (refusal) throw refusal;
  if (status === 'Running') throw refused('FlowRuns', t`${key} has ended just now: try again`);
  requireOwn(snapshot);
  if (!evenIfBooked) await requireNothingBooked(commandContext, snapshot);
  const before = await inputOf(commandContext, key, current);
  const merged = mergePatch(before, change);
  await requireValid(commandContext, flow, merged);
  await requireStock(commandContext, flow, merged);
  const after = startBeforeOf(snapshot.process);
  const isTaken = other === undefined ? undefined : await refusalOfKey(commandContext, other);
  if (isTaken) throw isTaken;
  return { flow, key: other ?? key, input: merged, changes: changesOf(before, change), ...{ before, after } };
}

/** Undefined: a process can be started with this key. */
async function refusalOfKey(commandContext: CommandContext, key: string): Promise<CommandError | undefined> {
  const holder = await keyHolderOf(commandContext, key);
  if (holder.kind === 'none') return undefined;
  if (holder.kind === 'running') {
    const starter = holder.by === null ? '' : t`, started by ${holder.by}`;
    return refused('FlowRuns', t`${key} runs${starter}: only what has ended is started again`);
  }
  return await endedWithResult(commandContext, key);
}

/** What a flow has started goes on, or ends, with that flow. */
export function requireOwn({ process: { key }, described: { raw } }: ProcessSnapshot): void {
  const parent = raw.workflowExecutionInfo?.parentExecution?.workflowId;
  if (parent)
    throw refused('PartOfAnother', t`${key} is a part of ${parent}, which has started it: start that again`);
}

/** Its failure: it is not known whether its booking was made. */
const OUTCOME_UNKNOWN = 'OutcomeUnknown';
const OVER: ReadonlySet<string | null> = new Set(['Completed', 'Cancelled']);

async function requireNothingBooked({ client }: CommandContext, { process }: ProcessSnapshot): Promise<void> {
  const { key, runId, status, progress, failure } = process;
  if (status === 'Completed') return;
  const movedTo = status === 'Cancelled' ? await movedToOf(client, key, runId) : null;
  if (movedTo !== null)
    throw refused('MayBookTwice', t`${key} was moved: its item has the locker of ${movedTo}`);
  const booked = shipmentsIn(progress ?? { bookings: [] })
    .filter(({ shipment }) => !OVER.has(shipment.stateCode))
    .map(({ name, shipment }) => t`${name} in locker ${shipment.lockerName ?? t`unknown`}`);
  const all = t`cancel it at the locker service first, or start it again all the same`;
  if (booked.length > 0)
    throw refused('MayBookTwice', t`${key} may still have what it booked (${booked.join('; ')}): ${all}`);
  if (isCutShort(process))
    throw refused(
      'MayBookTwice',
      t`${key} was cut short, and has undone nothing: if it has a locker, ${all}`,
    );
  if (status === 'Failed' && failure?.code === OUTCOME_UNKNOWN)
    throw refused('MayBookTwice', t`it is not known whether ${key} has a locker: if it has, ${all}`);
}

/** What it issues may have left stock since, and with it the start would fail for certain. */
async function requireStock(
  { client, service }: Pick<CommandContext, 'client' | 'service'>,
  flow: string,
  { request }: Fields,
): Promise<void> {
  const { priorShipmentUid: stock } = (request ?? {}) as { readonly priorShipmentUid?: unknown };
  const operation = await new WholeOperations({ client }).of(flow).catch(() => undefined);
  if (!service || typeof stock !== 'string' || !operation?.includes('IssueFromStock')) return;
  // Where the service cannot be asked, the start itself will say it.
  const { stateCode = null } = (await shipmentAt(service, stock).catch(() => undefined)) ?? {};
  if (hasEnded(stateCode))
    throw refused(
      'NotInStock',
      t`the item is not in stock any more, its shipment is ${formatState(stateCode ?? '')}: put it into stock, and start another one with it`,
    );
}

type Fields = Readonly<Record<string, unknown>>;

export async function inputOf({ client }: CommandContext, key: string, runId: string): Promise<Fields> {
  const { input: before } = await startedWith(client, key, runId).catch((cause: unknown) => {
    if (cause instanceof FlowNotFound || grpcFailureOf(cause)) throw cause;
    throw refused('InputGone', t`the input of ${key} cannot be read any more: start it with its input`, {
      cause,
    });
  });
  if (before == null) throw refused('InputGone', t`${key} was started without an input: start it with one`);
  if (typeof before !== 'object' || Array.isArray(before))
    throw refused('InputGone', t`the input of ${key} is not an object: start it with one that is`);
  return before as Fields;
}

/** Its flow may have changed since, and the change may not fit it: that is said of this process, and stops no other. */
export async function requireValid({ flows }: CommandContext, flow: string, merged: Fields): Promise<void> {
  try {
    await flows.checkAny(flow, merged);
  } catch (cause) {
    if (cause instanceof FlowNotPublished) throw refused(cause.name, cause.message, { cause });
    if (!(cause instanceof ContractError)) throw cause;
    const fields = Object.fromEntries(cause.issues.map(({ field, message }) => [`change.${field}`, message]));
    const words = cause.issues.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw refused('InputRefused', t`${flow} does not take this input: ${words}`, {
      cause,
      fields,
    });
  }
}
