// `start`: one flow, from options, a JSON file or the standard input; with --wait also its end.
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { flowClocks, overduePolicies } from '../../../contract/flows/flow-input.ts';
import { checkBusinessKey } from '../../../contract/flows/internal-ids.ts';
import type { JsonSchema } from '../../../contract/openapi/schemas.ts';
import { ContractError } from '../../../contract/wire/errors.ts';
import { capabilitiesIn } from '../../../processes/at-temporal.ts';
import { start } from '../../../processes/commands/start.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { report, type Terminal } from '../../../shared/terminal/terminal.ts';
import { checkInput } from '../../flow-contract.ts';
import type { FlowFileStart } from '../../flow-files/flow-file-handle.ts';
import type { LockerFlows } from '../../locker-flows.ts';
import {
  asFlowType,
  inOptions,
  isBuiltIn as isBuiltInName,
  publishedInput,
  type StartOptions,
  startInput,
} from '../start-input.ts';
import { type ActingOptions, actingIn, addActingOptions, atTemporal } from '../temporal.ts';

interface Options extends StartOptions, ActingOptions {
  readonly key: string;
  readonly input?: string;
  readonly wait?: true;
  readonly dryRun?: true;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

export function addStart(program: Command, terminal: Terminal): void {
  addActingOptions(
    program
      .command('start')
      .description(
        'start a flow; the same key and input again gives the same flow, and nothing is booked twice',
      )
      .argument('<Flow>', 'a built-in flow or a published one: see lockerflow flows')
      .requiredOption('--key <business key>', 'your own id of this flow: its workflow id')
      .option('--input <file>', 'its input as JSON; - is the standard input. Options override it')
      .option('--pup-uid <pupUid>', 'pick up point to book')
      .option('--to-user-uid <userUid>', 'user that picks up')
      .option('--from-user-uid <userUid>', 'user that drops off')
      .option('--prior-shipment-uid <shipmentUid>', 'stock to issue, or intake to follow')
      .option('--locker-uid <lockerUid>', 'book this locker and no other')
      .option('--dimension <width x height x length>', 'centimeters, like 20x10x30')
      .option('--allow-larger-lockers', 'also a larger locker than the smallest that fits')
      .option('--allow-overflow-lockers', 'also an overflow pick up point')
      .option('--keep-booked-after-pick-up', 'collect only: keep the locker until the flow is cancelled')
      .option('--reference-no <text>')
      .option('--reference-case-no <text>')
      .option('--description <text>')
      .option(
        '--set <path=value>',
        'any other field, like request.return.referenceNo=R-7 or waitForLocker=PT2H; digits are a number where the flow takes one, and a map or a list is JSON; repeatable',
        collect,
      )
      .option('--deadline <role.stage=duration>', 'like issue.pickUp=P3D; repeatable', collect)
      .addOption(
        new Option('--on-overdue <policy>', 'what the flow does when a deadline passes').choices(
          overduePolicies,
        ),
      )
      .addOption(
        new Option(
          '--clock <clock>',
          "sandbox: the flow's time is that of a staging service's clock",
        ).choices(flowClocks),
      )
      .option('--wait', 'wait until the flow has ended, and show its result')
      .option('--dry-run', 'show the input as it would be sent, and start nothing'),
  )
    .addHelpText('after', EXAMPLES)
    .action((flow: string, options: Options, command: Command) => run(terminal, flow, options, command));
}

const EXAMPLES = `
Examples:
  lockerflow start Issue --key order-1042 --pup-uid pup-central --to-user-uid user-anna --dimension 20x10x30
  lockerflow start IssueFromStock --key order-1043 --prior-shipment-uid 7c0e… --to-user-uid user-bram \\
      --deadline issue.pickUp=P3D --on-overdue cancel --wait
  lockerflow start DeviceLoan --key loan-7 --set request.item=7c0e… --set request.user=user-anna
  lockerflow start Stock --key stock-7 --input stock.json
  echo '{ "request": { … } }' | lockerflow start Intake --key return-9 --input -`;

async function run(terminal: Terminal, name: string, options: Options, command: Command): Promise<void> {
  checked(() => checkBusinessKey(options.key));
  const given = options.input === undefined ? {} : await jsonOf(terminal, options.input);
  if (!isBuiltInName(name)) return runPublished(terminal, name, given, options, command);
  const flow = asFlowType(name);
  const input = startInput(flow, given, options);
  checked(() => checkInput(flow, input, capabilitiesIn(terminal.variables)));
  if (options.dryRun)
    return report(terminal, command, { words: JSON.stringify(input, null, 2), data: input });
  await atTemporal(terminal, async (temporal) => {
    const { key } = options;
    orThrow(await start.do(actingIn(terminal, temporal, options), key, { flow, input }));
    if (!options.wait) return tellStarted(terminal, command, flow, key);
    const result = await temporal.flows.handle<'Issue'>(key).result();
    report(terminal, command, {
      words: `${flow} ${key} has ended: ${result.outcome}`,
      data: { flow, workflowId: key, result },
    });
    if (result.outcome !== 'Done')
      throw new CommandFailed('endedOtherwise', `${key} has ended as ${result.outcome}`);
  });
}

/** A JSON value in a file that an option names, or in the standard input. */
async function jsonOf(terminal: Terminal, path: string): Promise<unknown> {
  const name = path === '-' ? 'the standard input' : path;
  const text = await (path === '-' ? terminal.read() : readFile(path, 'utf8')).catch((cause: Error) => {
    throw wrongUse(`${name} cannot be read: ${cause.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongUse(`${name} is not JSON: ${(cause as Error).message}`);
  }
}

const tellStarted = (terminal: Terminal, command: Command, flow: string, key: string): void =>
  report(terminal, command, {
    words: `${flow} ${key} is started; follow it with: lockerflow watch ${key}`,
    data: { flow, workflowId: key },
  });

function checked(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof ContractError ? inOptions(error) : error;
  }
}

/** For a flow file: the file's schema, which is in Temporal, checks the input. */
async function runPublished(
  terminal: Terminal,
  flow: string,
  given: unknown,
  options: Options,
  command: Command,
): Promise<void> {
  const { key, wait, dryRun } = options;
  await atTemporal(terminal, async (temporal) => {
    const { flows } = temporal;
    const acting = actingIn(terminal, temporal, options);
    const schema = await inputSchemaOf(flows, flow, options);
    const input = { ...(await inputOfKnown(flows, flow, () => publishedInput(given, options, schema))) };
    if (dryRun) {
      orThrow(await start.check(acting, key, { flow, input }));
      return report(terminal, command, { words: JSON.stringify(input, null, 2), data: input });
    }
    orThrow(await start.do(acting, key, { flow, input }));
    if (!wait) return tellStarted(terminal, command, flow, key);
    const result = await flows.fileHandle(key).result();
    report(terminal, command, {
      words: `${flow} ${key} has ended: ${JSON.stringify(result)}`,
      data: { flow, workflowId: key, result },
    });
  });
}

/** What its newest version takes; asked for only where a text may stand for a number. */
const inputSchemaOf = async (flows: LockerFlows, flow: string, { set }: Options): Promise<JsonSchema> =>
  set === undefined ? {} : (await flows.schemas(flow)).input;

/** That there is no such flow is said first: its options may be right for the flow that was meant. */
async function inputOfKnown(
  flows: LockerFlows,
  name: string,
  input: () => FlowFileStart,
): Promise<FlowFileStart> {
  try {
    return input();
  } catch (wrongOptions) {
    await flows.publishedAs(name);
    throw wrongOptions;
  }
}
