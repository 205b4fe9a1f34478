// `event` and `answer`: what a process is told, by somebody outside or by a person whom it has asked.
import { type Command, Option } from 'commander';
import { type FlowClock, flowClocks } from '../../contract/flows/flow-input.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { answer } from '../../processes/commands/answer.ts';
import { type CorrelatedInput, event, sendEvent } from '../../processes/commands/event.ts';
import { CommandError, orThrow } from '../../processes/outcome.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { dashed, pairIn } from '../options.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

interface Options extends ActingOptions {
  readonly id?: string;
  readonly data?: string;
  readonly where?: readonly string[];
  readonly keepFor?: string;
  readonly keepAnyway?: true;
  readonly clock?: FlowClock;
}

export function addEvent(program: Command, terminal: Terminal): void {
  addActingOptions(
    program
      .command('event')
      .description(
        'tell a process of a flow file what has happened; if its present state does not take the event, nothing changes. One that no state of its file takes is refused. Events of a flow that the process has started come from that flow alone. With --where: tell all processes that have these keys, also those that begin a little later. An event starts a process of each file that has its type in `starts`, once for its id',
      )
      .argument('<key>', 'its business key; left out with --where, and for an event that starts processes')
      .argument('[type]', 'type of the event, as in the file')
      .option(
        '--where <name=value>',
        'a key that the processes must have, by `correlate` of their file; several: each must',
        (given: string, before: readonly string[] = []) => [...before, given],
      )
      .option('--keep-for <duration>', 'with --where: how long it waits for a process; an hour unless given')
      .option(
        '--keep-anyway',
        'with --where: also if no published flow listens for it; one may be published within --keep-for',
      )
      .addOption(
        new Option(
          '--clock <clock>',
          "the time of the processes that it starts; those that run keep their clock. sandbox: the tenant's clock in a service in staging",
        ).choices(flowClocks),
      )
      .option('--id <id>', 'id of the event; a repeated id is ignored')
      .option('--data <json>', 'more about the event; expressions see it as event.data'),
  )
    .addHelpText('after', EVENT_EXAMPLES)
    .action((first: string, second: string | undefined, options: Options, command: Command) => {
      if (!options.where) requireNotKept(options);
      if (options.where || second === undefined)
        return sendByKeys(terminal, command, options, correlatedIn(first, second, options));
      if (options.clock !== undefined)
        throw wrongUse(`--clock is for an event that starts processes: ${first} keeps its clock`);
      const [key, type] = [first, second];
      const input = { type, ...eventIn(options) };
      return atTemporal(terminal, async (temporal) => {
        const sent = orThrow(await event.do(commandContextIn(terminal, temporal, options), key, input));
        report(terminal, command, {
          text: `${key} ${event.formatResult(sent)}`,
          data: { workflowId: key, ...sent },
        });
      });
    });
}

function requireNotKept({ keepFor, keepAnyway }: Options): void {
  for (const [option, value] of [
    ['--keep-for', keepFor],
    ['--keep-anyway', keepAnyway],
  ])
    if (value !== undefined)
      throw wrongUse(`${option} needs --where: only an event for processes with certain keys waits for them`);
}

function eventIn({ id, data }: Options) {
  const read = dataOf(data);
  return { ...(id !== undefined && { id }), ...(read !== undefined && { data: read }) };
}

function correlatedIn(type: string, second: string | undefined, options: Options): CorrelatedInput {
  const { where, keepFor, keepAnyway, clock } = options;
  if (second !== undefined)
    throw wrongUse('--where names the processes; expected no key, as in: event device.returned --where …');
  return {
    type,
    ...(where && { where: keysIn(where) }),
    ...eventIn(options),
    ...(keepFor !== undefined && { keepFor }),
    ...(keepAnyway && { keepAnyway }),
    ...(clock && { clock }),
  };
}

function sendByKeys(
  terminal: Terminal,
  command: Command,
  options: Options,
  input: CorrelatedInput,
): Promise<void> {
  return atTemporal(terminal, async (temporal) => {
    const outcome = await sendEvent.do(commandContextIn(terminal, temporal, options), null, input);
    const sent = orThrow(outcome.done ? outcome : { ...outcome, error: asTyped(outcome.error) });
    report(terminal, command, {
      text: sendEvent.formatResult(sent),
      data: { ...sent },
    });
  });
}

/** A refusal names the fields of a request. */
function asTyped(error: CommandError): CommandError {
  const { kind, code, message, fields, retryAfterMs } = error;
  const typed = message.replaceAll(/\bkeep(?:For|Anyway)\b/g, dashed);
  return new CommandError(kind, code, typed, { cause: error, fields, retryAfterMs });
}

const keysIn = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((each) => pairIn(each, 'a name and a value, such as device=laptop-7', '--where')),
  );

const EVENT_EXAMPLES = `
Examples:
  lockerflow event repair.wanted --id ticket-7 --data '{ "device": "laptop-7" }'
  lockerflow event device.returned --where device=laptop-7 --id scan-812 --data '{ "desk": "north" }'
  lockerflow event loan-1042 repaired --id ticket-7 --data '{ "cost": 12 }'`;

function dataOf(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw wrongUse(
      `--data is not JSON (${cause instanceof Error ? cause.message : String(cause)}); expected it like '{ "cost": 12 }'`,
    );
  }
}

interface Options {
  readonly by: string;
  readonly question?: string;
  readonly why?: string;
}

export function addAnswer(program: Command, terminal: Terminal): void {
  program
    .command('answer')
    .description('answer a question that a process has asked; lockerflow inbox lists them')
    .argument('<key>', 'its business key')
    .argument(
      '[field=value...]',
      'fields of the answer; each value as the question asks for it: yes or no, a number or a text',
    )
    .requiredOption('--by <who>', 'who answers')
    .option('--question <id>', 'which question, where several are open')
    .option('--why <reason>', 'why; the history keeps it')
    .addHelpText('after', ANSWER_EXAMPLES)
    .action((key: string, fields: readonly string[], { question, ...who }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const input = {
          values: Object.fromEntries(fields.map((each) => pairIn(each, 'field=value, like state=broken'))),
          ...(question && { question }),
        };
        const result = orThrow(await answer.do(commandContextIn(terminal, temporal, who), key, input));
        report(terminal, command, {
          text: `${key}: ${answer.formatResult(result)}`,
          data: { workflowId: key, ...result, by: who.by },
        });
      }),
    );
}

const ANSWER_EXAMPLES = `
Examples:
  lockerflow inbox desk
  lockerflow answer loan-1042 state=broken --by anna
  lockerflow answer repair-7 serial=SN-0001 work=board,screen doneOn=2026-01-05 --by ben`;
