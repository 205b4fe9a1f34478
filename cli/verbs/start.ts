// `start`: one flow, its input from `--set`, a JSON file or the standard input; with --wait also its end.
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { resultSchema } from '../../contract/flows/flow-result.ts';
import { onboardResultSchema } from '../../contract/flows/onboard-answers.ts';
import { start } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { builtInNamed, startInput, withPermissions } from '../start-input.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

interface Options extends ActingOptions {
  readonly key: string;
  readonly input?: string;
  readonly set?: readonly string[];
  readonly wait?: true;
  readonly dryRun?: true;
  readonly ifEnded?: 'return' | 'restart';
}

export function addStart(program: Command, terminal: Terminal): void {
  addActingOptions(
    program
      .command('start')
      .description(
        'start a flow; the same key and input again gives the same flow, and nothing is booked twice',
      )
      .argument('<Flow>', 'a built-in flow or a published one: see lockerflow flows')
      .requiredOption('--key <business key>', 'your own id of this flow: its workflow id')
      .option('--input <file>', 'its input as JSON; - is the standard input')
      .option(
        '--set <path=value>',
        'a field of the input, like request.pupUid=pup-central or deadlines.issue.pickUp=P3D; digits are a number where the flow takes one, and a map or a list is JSON; repeatable',
        (value: string, before: readonly string[] = []) => [...before, value],
      )
      .addOption(
        new Option(
          '--if-ended <how>',
          'what becomes of a key whose process has ended: return gives that process, however it ended, and starts nothing; restart starts it anew, unless it has ended with a result',
        )
          .choices(['return', 'restart'])
          .default('return'),
      )
      .option('--wait', 'wait until the flow has ended, and show its result')
      .option('--dry-run', 'show the input as it would be sent, and start nothing'),
  )
    .addHelpText('after', EXAMPLES)
    .action((flow: string, options: Options, command: Command) => run(terminal, flow, options, command));
}

const EXAMPLES = `
Examples:
  lockerflow start Issue --key order-1042 --set request.pupUid=pup-central --set request.toUserUid=user-anna \\
      --set request.dimension='{ "width": 20, "height": 10, "length": 30 }' --set deadlines.issue.pickUp=P3D --wait
  lockerflow start DeviceLoan --key loan-7 --set request.item=7c0e… --set clock=sandbox
  lockerflow start Stock --key stock-7 --input stock.json
  echo '{ "request": { … } }' | lockerflow start Intake --key return-9 --input -`;

/** The start checks the input: by the contract for a built-in flow, by its file's schema for a published one. */
async function run(terminal: Terminal, name: string, options: Options, command: Command): Promise<void> {
  const { key, set = [], wait, dryRun = false } = options;
  const values = options.input === undefined ? {} : await jsonOf(terminal, options.input);
  const builtIn = builtInNamed(name);
  const flow = builtIn ?? name;
  const use = async (temporal: TemporalContext) => {
    const { flows } = temporal;
    const { input: schema } = await flows.schemas(flow);
    const fields = startInput(values, set, schema);
    const input = withPermissions(fields, schema);
    const commandContext = commandContextIn(terminal, temporal, options);
    if (dryRun) {
      orThrow(await start.preview(commandContext, key, { flow, input }));
      return report(terminal, command, { text: JSON.stringify(input, null, 2).split('\n'), data: input });
    }
    const { isNew } = orThrow(await start.do(commandContext, key, { flow, input, ifEnded: options.ifEnded }));
    if (!wait) {
      const words = await formatStarted(temporal, key, isNew);
      return report(terminal, command, {
        text: `${flow} ${key} ${words}`,
        data: { flow, workflowId: key, isNew },
      });
    }
    const result: unknown = await flows.fileHandle(key).result();
    const outcome = builtIn ? (result as { readonly outcome: string }).outcome : outcomeIn(result);
    report(terminal, command, {
      text: `${flow} ${key} has ended: ${outcome ?? JSON.stringify(result)}`,
      data: { flow, workflowId: key, isNew, result },
    });
    if (outcome !== undefined && outcome !== 'Done')
      throw new CommandFailed('endedOtherwise', `${key} has ended as ${outcome}`);
  };
  // Nobody needs Temporal to see what would be sent to a built-in flow.
  await atTemporal(terminal, use, { lazily: dryRun && builtIn !== undefined });
}

/** Undefined: the process is neither one booking nor an onboarding, and its result may have any field. */
const outcomeIn = (result: unknown): string | undefined =>
  z.union([resultSchema(roles), onboardResultSchema]).safeParse(result).data?.outcome;

async function formatStarted({ client }: TemporalContext, key: string, isNew: boolean): Promise<string> {
  // A key gives its process even after that has ended.
  const { status } = await client.workflow.getHandle(key).describe();
  if (status.name === 'RUNNING')
    return `is ${isNew ? 'started' : 'there already'}; follow it with: lockerflow watch ${key}`;
  const look = `see how with: lockerflow show ${key}`;
  if (isNew || status.name === 'COMPLETED') return `has ended already; ${look}`;
  return `has ended before without a result, and nothing was started; ${look}, or start it anew by --if-ended restart`;
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
