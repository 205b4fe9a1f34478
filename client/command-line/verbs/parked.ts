// `parked`: lists, shows, claims and drops callbacks without a flow, and messages of unknown types.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type Command, Option } from 'commander';
import { PARKED_CALLBACK } from '../../../contract/flows/flow-types.ts';
import type {
  Claim,
  Drop,
  KeptCallback,
  Parked,
  ParkedInput,
  ParkedMemo,
} from '../../../contract/flows/parked-callback.ts';
import { parkedId } from '../../../routing/park.ts';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { report } from '../../../terminal/report.ts';
import { plain, table } from '../../../terminal/table.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { startedWith } from '../../started-with.ts';
import { eachAtOnce } from '../at-once.ts';
import { type FoundFlow, foundPage } from '../found-flows.ts';
import { requireOpen } from '../open-flow.ts';
import { type AtTemporal, answered, atTemporal } from '../temporal.ts';
import { wholeNumber } from '../whole-number.ts';

export function addParked(program: Command, terminal: Terminal): void {
  const parked = program
    .command('parked')
    .description('callbacks that no flow waits for, and messages of types that lockerflow does not know')
    .addHelpText('after', EXAMPLES);
  addList(parked, terminal);
  addShow(parked, terminal);
  addDecision(parked, terminal, {
    name: 'claim',
    description: 'give the reports of a shipment to a running flow',
    done: 'claimed',
    extra: (command) => command.requiredOption('--to <key>', 'the business key of the flow'),
  });
  addDecision(parked, terminal, {
    name: 'drop',
    description: 'end it: no flow needs it',
    done: 'dropped',
    extra: (command) => command,
  });
}

const EXAMPLES = `
Examples:
  lockerflow parked list
  lockerflow parked show 7c0e…
  lockerflow parked claim 7c0e… --to order-1042 --by anna --why "booked by hand"
  lockerflow parked drop parked:message:lockerflow:LockerCleaned --by anna --why "a test of theirs"`;

interface ListOptions {
  readonly kind?: 'shipment' | 'message';
  readonly closed?: true;
  readonly limit: number;
  readonly page?: string;
}

function addList(parked: Command, terminal: Terminal): void {
  parked
    .command('list', { isDefault: true })
    .description('list what is parked, newest first')
    .addOption(
      new Option('--kind <kind>', 'only reports of shipments, or only messages of unknown types').choices([
        'shipment',
        'message',
      ]),
    )
    .option('--closed', 'list those that have ended: delivered, claimed, dropped, or not claimed in time')
    .option('--limit <number>', 'how many at a time, 1 to 200', wholeNumber(1, 200), 50)
    .option('--page <page>', 'continue after the previous page')
    .action((options: ListOptions, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const { client } = temporal;
        const query = queryOf(options);
        const [{ flows, next }, { count }] = await Promise.all([
          foundPage(client, query, { size: options.limit, from: options.page }),
          client.workflow.count(query),
        ]);
        const rows = await described(temporal, flows);
        const data = { count, parked: rows, next };
        report(terminal, command, { words: listWords(rows, count, next), data });
      }),
    );
}

function queryOf({ kind, closed }: ListOptions): string {
  const conditions = [
    `WorkflowType = '${PARKED_CALLBACK}'`,
    // A run that continued as the next one is not closed.
    closed
      ? "ExecutionStatus != 'Running' AND ExecutionStatus != 'ContinuedAsNew'"
      : "ExecutionStatus = 'Running'",
  ];
  // Their workflow ids show it (routing/park.ts).
  if (kind === 'message') conditions.push("WorkflowId STARTS_WITH 'parked:message:'");
  if (kind === 'shipment') conditions.push("NOT WorkflowId STARTS_WITH 'parked:message:'");
  return conditions.join(' AND ');
}

interface Row {
  readonly workflowId: string;
  readonly status: string;
  readonly input: ParkedInput;
  readonly since: string | null;
  /** Callbacks that were given up: too many came, or no flow claimed them in time. */
  readonly givenUp: number;
  /** Of the newest report; null where a message has none, or no worker answers. */
  readonly newest: Newest | null;
}

interface Newest {
  readonly stateCode: string;
  readonly case: string | null;
  readonly pickUpPoint: string | null;
}

async function described(temporal: AtTemporal, found: readonly FoundFlow[]): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const worker = { answers: true };
  for await (const { item, outcome } of eachAtOnce(found, (flow) => rowOf(temporal, worker, flow))) {
    if (!outcome.done) throw outcome.error;
    rows.set(item.runId, outcome.value);
  }
  return found.flatMap(({ runId }) => rows.get(runId) ?? []);
}

/** From the history and the memo, so it needs no worker; with an odd uid, the workflow id does not show the uid. */
async function rowOf(
  temporal: AtTemporal,
  worker: { answers: boolean },
  { workflowId, runId, status, startedAt }: FoundFlow,
): Promise<Row> {
  const { client } = temporal;
  const handle = client.workflow.getHandle(workflowId, runId);
  const [{ input }, { memo = {} }, newest] = await Promise.all([
    startedWith(client, workflowId, runId),
    handle.describe(),
    // The reports themselves a worker must tell; without one the list is told without them.
    worker.answers
      ? answered(temporal, () => handle.query<Parked>('parked')).then(newestOf, () => {
          worker.answers = false;
          return null;
        })
      : null,
  ]);
  const { since = startedAt, givenUp = 0 } = memo as Partial<ParkedMemo>;
  return { workflowId, status, input: input as ParkedInput, since, givenUp, newest };
}

function newestOf({ kept, settled }: Parked): Newest | null {
  const { callback } = kept.at(-1) ?? settled.at(-1) ?? {};
  if (!callback || !('stateCode' in callback)) return null;
  const { stateCode, referenceCaseNo, pupUid } = callback;
  return { stateCode, case: referenceCaseNo, pickUpPoint: pupUid };
}

function listWords(rows: readonly Row[], count: number, next: string | null): string {
  if (rows.length === 0) return 'nothing is parked';
  const lines = table(
    ['parked', 'of', 'case', 'shipment is', 'pick up point', 'since (UTC)', 'state', 'given up'],
    rows.map(({ workflowId, input, since, status, givenUp, newest }) => [
      workflowId,
      input.kind === 'shipment' ? `shipment ${input.shipmentUid}` : `message ${input.messageType}`,
      newest?.case ?? '',
      newest?.stateCode ?? '',
      newest?.pickUpPoint ?? '',
      since?.slice(0, 19).replace('T', ' ') ?? '',
      status,
      givenUp === 0 ? '' : String(givenUp),
    ]),
  );
  const total = `${rows.length} of ${count}${next === null ? '' : `; go on with --page ${next}`}`;
  return [...lines, '', total].join('\n');
}

function addShow(parked: Command, terminal: Terminal): void {
  parked
    .command('show')
    .description('show the callbacks that one keeps; for a message of an unknown type its whole body')
    .argument('<id>', 'its workflow id, or the shipmentUid')
    .action((id: string, _options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const workflowId = idOf(id);
        const { input, since, kept, settled, givenUp } = await atParked(temporal, workflowId, (handle) =>
          handle.query<Parked>('parked'),
        );
        const words = [
          input.kind === 'shipment' ? `shipment ${input.shipmentUid}` : `message ${input.messageType}`,
          ...kept.map(keptWords),
          ...settled.map((each) => `${keptWords(each)}  (settled)`),
          ...(givenUp > 0 ? [`${givenUp} older ones were given up`] : []),
        ];
        const data = { workflowId, input, since, kept, settled, givenUp };
        report(terminal, command, { words: words.map(plain).join('\n'), data });
      }),
    );
}

function keptWords({ callback, times }: KeptCallback): string {
  const often = times > 1 ? `, ${times} times` : '';
  if (!('shipmentUid' in callback))
    return `${callback.receivedAt}  ${callback.messageType} ${JSON.stringify(callback.body)}${often}`;
  const { receivedAt, stateCode, stateStart, referenceCaseNo } = callback;
  const caseNo = referenceCaseNo === null ? '' : `, case ${referenceCaseNo}`;
  return `${receivedAt}  ${stateCode} since ${stateStart ?? 'unknown'}${caseNo}${often}`;
}

interface Decision {
  readonly name: 'claim' | 'drop';
  readonly description: string;
  readonly done: string;
  readonly extra: (command: Command) => Command;
}

interface DecisionOptions {
  readonly by: string;
  readonly why: string;
  readonly to?: string;
}

function addDecision(
  parked: Command,
  terminal: Terminal,
  { name, description, done, extra }: Decision,
): void {
  extra(parked.command(name).description(description).argument('<id>', 'its workflow id, or the shipmentUid'))
    .requiredOption('--by <who>', 'who decides it')
    .requiredOption('--why <reason>')
    .action((id: string, { by, why, to }: DecisionOptions, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const workflowId = idOf(id);
        // Reported here at once; the parked callback would try it for some time first.
        if (to !== undefined) await requireUse(temporal, to, workflowId);
        const decision: Claim | Drop = to === undefined ? { by, why } : { by, why, workflowId: to };
        await atParked(temporal, workflowId, (handle) => handle.executeUpdate(name, { args: [decision] }));
        report(terminal, command, {
          words: `${plain(workflowId)}: ${done}`,
          data: { workflowId, [done]: true },
        });
      }),
    );
}

/**
 * Throws where the flow cannot use the reports, before they are claimed. A flow that knows its shipments takes reports of
 * those alone; one that still books may yet adopt others.
 */
async function requireUse(temporal: AtTemporal, key: string, workflowId: string): Promise<void> {
  await requireOpen(temporal.client, key);
  const { type } = await temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(notFound(workflowId));
  if (type !== PARKED_CALLBACK) throw notParked(`${workflowId} is a ${type}, not a parked callback`);
  const [{ input }, progress] = await Promise.all([
    startedWith(temporal.client, workflowId),
    answered(temporal, () => temporal.flows.handle<'Issue'>(key).progress()).catch(() => null),
  ]);
  const { kind, ...of } = input as ParkedInput;
  if (kind !== 'shipment' || progress?.activity !== 'Following' || !('shipmentUid' in of)) return;
  const own = [...Object.values(progress.shipments), ...progress.unassigned];
  if (own.some(({ shipmentUid }) => shipmentUid === of.shipmentUid)) return;
  throw new CommandFailed(
    'failed',
    `${key} has no shipment ${of.shipmentUid} and cannot use its reports, so nothing was claimed; lockerflow resolve ${key} adopt makes it one of its shipments`,
  );
}

const notParked = (words: string, options?: ErrorOptions) =>
  new CommandFailed('notFound', `${words}; see lockerflow parked list`, options);

const notFound =
  (workflowId: string) =>
  (cause: unknown): never => {
    if (!(cause instanceof WorkflowNotFoundError)) throw cause;
    throw notParked(`there is no parked callback ${workflowId}`, { cause });
  };

const idOf = (id: string): string => (id.startsWith('parked:') ? id : parkedId(id));

type Handle = ReturnType<Client['workflow']['getHandle']>;

async function atParked<Answer>(
  temporal: AtTemporal,
  workflowId: string,
  ask: (handle: Handle) => Promise<Answer>,
): Promise<Answer> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const { type } = await handle.describe().catch(notFound(workflowId));
  if (type !== PARKED_CALLBACK) throw notParked(`${workflowId} is a ${type}, not a parked callback`);
  return answered(temporal, () => ask(handle));
}
