// The command line as a whole: its verbs, each in a file of its own, and how a command ends.
import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { type ExitCode, exitCodeMeanings, exitCodes } from './exit-codes.ts';
import { failureWords } from './failure-words.ts';
import type { Terminal } from './terminal.ts';
import { addCancel } from './verbs/cancel.ts';
import { addCodecServer } from './verbs/codec-server.ts';
import { addExtend } from './verbs/extend.ts';
import { addFlows } from './verbs/flows.ts';
import { addItemsLeft } from './verbs/items-left.ts';
import { addList } from './verbs/list.ts';
import { addParked } from './verbs/parked.ts';
import { addReplay } from './verbs/replay.ts';
import { addResolve } from './verbs/resolve.ts';
import { addSetup } from './verbs/setup.ts';
import { addShow } from './verbs/show.ts';
import { addStart } from './verbs/start.ts';
import { addWatch } from './verbs/watch.ts';

const verbs = [
  addStart,
  addList,
  addShow,
  addWatch,
  addCancel,
  addExtend,
  addResolve,
  addItemsLeft,
  addFlows,
  addParked,
  addReplay,
  addSetup,
  addCodecServer,
] as const;

const EXIT_CODES = Object.entries(exitCodes)
  .map(([kind, code]) => `  ${String(code).padStart(3)}  ${exitCodeMeanings[kind as keyof typeof exitCodes]}`)
  .join('\n');

const json = new Option('--json', 'print the outcome as JSON: one value, or one value a line');

/** The package's, which its modules find by its name, as source and as built. */
const { version } = createRequire(import.meta.url)('lockerflow/package.json') as { readonly version: string };

export function commandLine(terminal: Terminal): Command {
  const program = new Command('lockerflow')
    .description(
      "Starts, follows and decides on locker flows. It finds Temporal by Temporal's own configuration: " +
        'TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_*, or a profile (TEMPORAL_PROFILE) ' +
        'of its configuration file. LOCKERFLOW_TASK_QUEUE names the task queue where it is not "lockerflow".',
    )
    .version(version)
    .addOption(json)
    .exitOverride()
    // The message comes with the error that is thrown.
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.write, outputError: () => undefined })
    // Of those of the program itself, the one that every command takes.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: ({ parent }) => (parent ? [json] : []) })
    .addHelpText('after', `\nExit codes:\n${EXIT_CODES}`);
  for (const add of verbs) add(program, terminal);
  return program;
}

/** Runs one command to its end and answers with its exit code; it never throws. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await commandLine(terminal).parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { exitCode, words: message } = failureWords(error);
    if (message !== null) terminal.complain(message);
    return exitCode;
  }
}
