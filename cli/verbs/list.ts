// `list`: many processes, with whom each is for, the item, where it stands and by when.
import { type Command, Option } from 'commander';
import { lockerServiceOf } from '../../processes/locker-service.ts';
import { CommandError } from '../../processes/outcome.ts';
import { pickUpPointOf } from '../../processes/pick-up-points.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { dueOf, waitOf } from '../../processes/views/due.ts';
import { ProcessFailures } from '../../processes/views/failures.ts';
import { type FlowQueryOptions, flowQuery } from '../../processes/views/flow-query.ts';
import { type CountedPage, countedPage } from '../../processes/views/found-flows.ts';
import { leftItems } from '../../processes/views/left-items.ts';
import { reportsProblems } from '../../processes/views/needs-person.ts';
import {
  listedPage,
  type ProcessPage,
  type ProcessRow,
  type RowReaders,
  readProcessPage,
} from '../../processes/views/process-list.ts';
import { type Step, steps } from '../../processes/views/row-state.ts';
import { RowSubjects } from '../../processes/views/row-subjects.ts';
import { formatNext, formatPeople, formatWhere, placeOf } from '../../processes/views/row-words.ts';
import { MAX_SORTED, orders, SortedPages } from '../../processes/views/sorted-page.ts';
import { isAsked } from '../../processes/views/standing.ts';
import { ProcessSummaries } from '../../processes/views/summaries.ts';
import { unknownNames } from '../../processes/views/unknown-names.ts';
import { WantedAtStart } from '../../processes/views/wanted-at-start.ts';
import { WholeOperations } from '../../processes/views/whole-operations.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { utc, utcMinute } from '../moments.ts';
import { addQueryOptions, wholeNumber } from '../options.ts';
import { atTemporal, SERVICE_SETTINGS } from '../temporal.ts';

/** Nobody reads the list again to see what came late. */
const ROWS_WITHIN_MS = 3_000;

interface ListOptions extends FlowQueryOptions {
  readonly sort: (typeof orders)[number] | 'newest';
  readonly limit: number;
  readonly page?: string;
  readonly summaries: boolean;
  readonly withThem?: true;
  readonly step?: Step;
}

export function addList(program: Command, terminal: Terminal): void {
  const list = program.command('list').description('list flows, newest first; without options all of them');
  addQueryOptions(list)
    .addOption(
      new Option(
        '--sort <order>',
        'due: what is late, or is due soonest, first; waiting: what stands longest where it is',
      )
        .choices(['newest', ...orders])
        .default('newest'),
    )
    .addOption(
      new Option(
        '--with-them',
        'only open ones whose item is with the person, who is to bring it back',
      ).conflicts('closed'),
    )
    .addOption(
      new Option('--step <step>', 'only open ones for which somebody is to do this next at a locker')
        .choices(steps)
        .conflicts('closed'),
    )
    .option('--limit <number>', 'how many at a time, 1 to 1000', wholeNumber(1, 1_000), 50)
    .option('--page <page>', 'continue after the previous page')
    .option('--no-summaries', 'do not ask the open flows where they stand')
    .addHelpText('after', LIST_EXAMPLES)
    .addHelpText('after', SERVICE_SETTINGS)
    .action((options: ListOptions, command: Command) =>
      atTemporal(terminal, (temporal) => {
        const known = { wanted: new WantedAtStart(temporal), operations: new WholeOperations(temporal) };
        return withNames(terminal, known, async (names) => {
          const summaries = new ProcessSummaries(temporal, ROWS_WITHIN_MS);
          const page = await readProcessPage(
            listedPage(temporal, () => pageOf(temporal, options, summaries)),
            {
              summaries: options.summaries ? summaries : null,
              failures: new ProcessFailures(temporal),
              wanted: known.wanted,
              ...names.readers,
            },
          );
          const places = await names.placesOf(page.items);
          const text = formatRows(page, options, { places, missing: names.missing });
          report(terminal, command, { text, data: page });
          for (const each of await unknownNames(temporal, options, page.items)) terminal.complain(each);
        });
      }),
    );
}

const LIST_EXAMPLES = `
Examples:
  lockerflow list --phase NeedsPerson
  lockerflow list --open --sort due
  lockerflow list --with-them
  lockerflow list --step deskPutsIn --pick-up-point pup-central
  lockerflow list --open --flow Issue IssueFromStock --pick-up-point pup-central
  lockerflow list --case C-1042 --json
  lockerflow list --closed --started-after 2031-05-01T00:00:00Z --limit 200`;

async function pageOf(
  temporal: TemporalContext,
  options: ListOptions,
  summaries: ProcessSummaries,
): Promise<CountedPage> {
  const { sort, limit: size, page: from, withThem, step } = options;
  const standing = { ...(withThem && { withThem }), ...(step && { step }) };
  const asks = isAsked(standing);
  const problems = options.phase === 'NeedsPerson' && (await reportsProblems(temporal.client));
  const query = flowQuery({ ...options, problems, ...(asks && { open: true }) }, temporal.taskQueue);
  const sorted = new SortedPages(temporal, summaries);
  // Each has a place once it was asked where it stands.
  if (sort !== 'newest' || asks) await sorted.readAhead(query);
  const wanted = { sort, size, from, ...standing };
  return await sorted.pageAs(query, wanted, () => countedPage(temporal.client, query, { size, from }));
}

interface Names {
  readonly readers: Pick<RowReaders, 'subjects' | 'left'>;
  placesOf(rows: readonly ProcessRow[]): Promise<ReadonlyMap<string, string>>;
  /** Why nothing is known of people and items. */
  readonly missing?: string;
}

/** People and items have their names at the locker service; one that cannot be asked keeps nobody from the list. */
async function withNames(
  terminal: Terminal,
  known: { readonly wanted: WantedAtStart; readonly operations: WholeOperations },
  use: (names: Names) => Promise<void>,
): Promise<void> {
  let service: LockerApi;
  try {
    service = lockerServiceOf(terminal.variables);
  } catch (error) {
    if (error instanceof CommandError) return await use(without(error.message));
    throw error;
  }
  await using api = service;
  const failure = await failureOf(() => api.call('GetPickUpPoints', { pageNo: 1, pageSize: 1 }));
  if (failure !== null) return await use(without(failure));
  const subjects = new RowSubjects({ service: api, ...known });
  await use({
    readers: {
      subjects: { of: (flows) => subjects.of(flows, ROWS_WITHIN_MS) },
      left: () => leftItems(api),
    },
    placesOf: (rows) => placesOf(api, rows),
  });
}

const without = (missing: string): Names => ({ readers: {}, missing, placesOf: async () => new Map() });

async function failureOf(ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof LockerApiError) return error.message;
    throw error;
  }
}

/** The names of pick up points, by uid; those that the service does not tell now are left out. */
async function placesOf(service: LockerApi, rows: readonly ProcessRow[]): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  const read = async (pupUid: string) => void places.set(pupUid, (await pickUpPointOf(service, pupUid)).name);
  for (const pupUid of new Set(rows.flatMap((row) => placeOf(row) ?? [])))
    if ((await failureOf(() => read(pupUid))) !== null) break;
  return places;
}

interface Known {
  readonly places: ReadonlyMap<string, string>;
  readonly missing: string | undefined;
}

type Column = readonly [title: string, cell: (row: ProcessRow) => string | null];

function formatRows(
  { items, count, next, sorted, unknown = 0 }: ProcessPage,
  { sort, summaries }: ListOptions,
  { places, missing }: Known,
): string[] {
  const silent = unknown > 0 ? [`${unknown} have not said where they stand, and may be missing`] : [];
  if (items.length === 0) return ['no flows found', ...silent];
  const columns: readonly Column[] = [
    ['key', ({ key }) => key],
    ['flow', ({ flow }) => flow],
    ['state', stateOf],
    ...(missing === undefined ? aboutColumns : []),
    ...(summaries ? whereColumns(places, sorted === 'waiting') : []),
    ['case', ({ caseNo }) => caseNo],
    ['pick up point', ({ pickUpPoint }) => pickUpPoint],
    ['started (UTC)', ({ startedAt }) => utc(startedAt) || null],
  ];
  const rows = items.map((row) => columns.map(([, cell]) => cell(row) ?? ''));
  const total = `${items.length} of ${count}${next === null ? '' : `; go on with --page ${next}`}`;
  return [
    ...table(
      columns.map(([title]) => title),
      rows,
    ),
    '',
    total,
    ...silent,
    ...(sort !== 'newest' && sorted === 'newest'
      ? [`the newest come first: --sort ${sort} takes at most ${MAX_SORTED} flows; narrow the search`]
      : []),
    ...(missing === undefined ? [] : [`for whom and the item are left out: ${missing}`]),
  ];
}

const stateOf = ({ phase, failure, status }: ProcessRow): string =>
  phase ?? (failure ? `${status}: ${failure.code}` : status);

const aboutColumns: readonly Column[] = [
  ['for', formatPeople],
  ['item', ({ about }) => about?.item ?? null],
];

const whereColumns = (places: ReadonlyMap<string, string>, isByWaiting: boolean): readonly Column[] => [
  ['where', (row) => formatWhere(row, nameIn(places, placeOf(row)))],
  ['next', nextOf],
  isByWaiting ? ['waits since, or due (UTC)', formatWait] : ['due, or since (UTC)', formatDue],
];

function nextOf({ phase, summary, workerFails }: ProcessRow): string | null {
  if (phase === null) return null;
  if (workerFails) return 'a worker fails at it, show says why';
  return summary ? formatNext(summary) : 'not known yet';
}

const nameIn = (places: ReadonlyMap<string, string>, pupUid: string | null): string | null =>
  pupUid === null ? null : (places.get(pupUid) ?? pupUid);

const momentOf = (at: string | null): string | null => (at === null ? null : utcMinute(at));

function formatWait(row: ProcessRow): string | null {
  const { kind, at } = waitOf(row, Date.now());
  const moment = momentOf(at);
  return moment === null || kind === 'due' ? moment : `since ${moment}`;
}

function formatDue(row: ProcessRow): string | null {
  if (row.phase === null) return momentOf(row.closedAt);
  const { kind, at } = dueOf(row, Date.now());
  const moment = momentOf(at);
  if (moment === null || kind === 'due') return moment;
  return kind === 'late' && row.summary ? `late since ${moment}` : `since ${moment}`;
}
