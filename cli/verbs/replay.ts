// `replay`: checks that this checkout makes the decisions of recorded histories, from a file or from a server. The
// replay itself is the worker's (worker/replay.ts), in a process of its own: the client has no workflows.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { startReplayProgram } from '../../processes/replay-program.ts';
import { type FlowQueryOptions, flowQuery, isNarrowed } from '../../processes/views/flow-query.ts';
import { everyFound, type FoundFlow } from '../../processes/views/found-flows.ts';
import { unknownNames } from '../../processes/views/unknown-names.ts';
import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { addQueryOptions } from '../options.ts';
import { atTemporal } from '../temporal.ts';

interface Options extends FlowQueryOptions {
  readonly file?: readonly string[];
}

interface Replayed {
  readonly workflowId: string;
  readonly runId?: string;
  readonly history?: unknown;
}

export function addReplay(program: Command, terminal: Terminal): void {
  addQueryOptions(
    program
      .command('replay')
      .description(
        'check that this checkout makes the same decisions as recorded histories. Before a deploy use --open: it ' +
          'checks all running flows. It starts and changes no flow',
      )
      .argument('[key]', 'the business key of one flow'),
  )
    .option('--file <file...>', 'histories as JSON, as temporal workflow show --output json writes them')
    .addHelpText('after', EXAMPLES)
    .action(async (key: string | undefined, options: Options, command: Command) => {
      if ([key !== undefined, isByQuery(options), options.file !== undefined].filter(Boolean).length !== 1)
        throw wrongUse('give exactly one of: a key, --file, or a query like --open');
      const requests = replayed(terminal, key, options);
      await printResults(terminal, wantsJson(command), requests);
    });
}

const EXAMPLES = `
Examples:
  lockerflow replay --open
  lockerflow replay order-1042
  temporal workflow show --workflow-id order-1042 --output json > order.json
  lockerflow replay --file order.json`;

async function* replayed(
  terminal: Terminal,
  key: string | undefined,
  options: Options,
): AsyncGenerator<Replayed, void, void> {
  if (key !== undefined) yield await running(terminal, key);
  for (const file of options.file ?? []) yield await recorded(file);
  if (!isByQuery(options)) return;
  // Lists all flows first: a replay may take longer than a page token of the store is valid.
  const flows: FoundFlow[] = [];
  await atTemporal(terminal, async (temporal) => {
    const { client, taskQueue } = temporal;
    for await (const each of everyFound(client, flowQuery(options, taskQueue))) flows.push(each);
    for (const each of await unknownNames(temporal, options, flows)) terminal.complain(each);
  });
  yield* flows.map(({ workflowId, runId }) => ({ workflowId, runId }));
}

/** Throws if no flow has that key. */
const running = (terminal: Terminal, key: string): Promise<Replayed> =>
  atTemporal(terminal, async ({ client }) => {
    const { workflowId, runId } = await client.workflow.getHandle(key).describe();
    return { workflowId, runId };
  });

const isByQuery = (options: Options): boolean =>
  isNarrowed(options) || options.open === true || options.closed === true;

async function recorded(file: string): Promise<Replayed> {
  try {
    const history: { events?: Started[] } = JSON.parse(await readFile(file, 'utf8'));
    const workflowId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId;
    return { workflowId: workflowId ?? basename(file, '.json'), history };
  } catch (cause) {
    throw wrongUse(
      `${file} is not a history (${cause instanceof Error ? cause.message : String(cause)}); make one with temporal workflow show --output json`,
    );
  }
}

interface Started {
  readonly workflowExecutionStartedEventAttributes?: { readonly workflowId?: string };
}

interface ReplayResult {
  readonly workflowId: string;
  readonly error: string | null;
  /** At what a worker has failed since the last recorded step, which alone is not replayed; null: at nothing. */
  readonly failedAt: string | null;
}

async function printResults(
  terminal: Terminal,
  json: boolean,
  requests: AsyncIterable<Replayed>,
): Promise<void> {
  let same = 0;
  let other = 0;
  let failing = 0;
  for await (const result of results(terminal, requests)) {
    const { workflowId, error, failedAt } = result;
    if (error === null) same += 1;
    else other += 1;
    const isFailing = error === null && failedAt !== null;
    if (isFailing) failing += 1;
    const words = isFailing
      ? `the same as far as it has come; a worker failed at its next step, which no history has: ${failedAt}`
      : error;
    if (json) terminal.write(`${JSON.stringify(result)}\n`);
    else if (words !== null)
      terminal.write(escapeControlCharacters(`${workflowId}: ${words.replaceAll('\n', ' ')}`).concat('\n'));
  }
  const failed = failing === 0 ? '' : `; a worker failed at the next step of ${failing}`;
  const sum = `${same + other} replayed, ${other} differently${failed}`;
  if (!json) terminal.write(`${sum}\n`);
  if (other > 0)
    throw new CommandFailed('failed', `${sum}; keep the old version of a definition that changes`);
}

async function* results(
  { interrupted, variables }: Terminal,
  requests: AsyncIterable<Replayed>,
): AsyncGenerator<ReplayResult, void, void> {
  const { process: child, lines, complaint } = startReplayProgram(variables, { signal: interrupted });
  const ended = failureOf(once(child, 'close'));
  const feeding = failureOf(feed(child.stdin, requests)).then((failure) => {
    if (failure) child.kill();
    return failure;
  });
  for await (const line of lines) yield JSON.parse(line) as ReplayResult;
  for (const failure of [await feeding, await ended]) if (failure) throw failure;
  if (child.exitCode !== 0) throw new CommandFailed('failed', `the replay failed: ${complaint()}`);
}

/** Kept for later, while the results are read. */
const failureOf = (doing: Promise<unknown>): Promise<Error | null> =>
  doing.then(
    () => null,
    (error: Error) => error,
  );

async function feed(input: NodeJS.WritableStream, requests: AsyncIterable<Replayed>): Promise<void> {
  try {
    for await (const one of requests)
      if (!input.write(`${JSON.stringify(one)}\n`)) await once(input, 'drain');
  } finally {
    input.end();
  }
}
