// The whole command line: its verbs (each in its own file), and how a command ends.
import type { Command } from 'commander';
import type { ExitCode, ExitCodeMeanings } from '../shared/terminal/exit-codes.ts';
import { newProgram, runProgram } from '../shared/terminal/program.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';

type AddVerb = (program: Command, terminal: Terminal) => void;

/**
 * In the order of the help. The table of commands makes their verbs. Only what is typed is loaded: Temporal's client and the schema
 * of flow files take half a second.
 */
const verbs: Readonly<Record<string, () => Promise<AddVerb>>> = {
  start: async () => (await import('./verbs/start.ts')).addStart,
  list: async () => (await import('./verbs/list.ts')).addList,
  show: async () => (await import('./verbs/show.ts')).addShow,
  watch: async () => (await import('./verbs/show.ts')).addWatch,
  log: async () => (await import('./verbs/log.ts')).addLog,
  '(commands to processes)': async () => (await import('./verbs/process-command.ts')).addProcessCommands,
  batch: async () => (await import('./verbs/batch.ts')).addBatch,
  compare: async () => (await import('./verbs/compare.ts')).addCompare,
  shipment: async () => (await import('./verbs/shipment.ts')).addShipment,
  flows: async () => (await import('./verbs/flows.ts')).addFlows,
  dev: async () => (await import('./verbs/dev.ts')).addDev,
  new: async () => (await import('./verbs/flow-files/new.ts')).addNew,
  schedule: async () => (await import('./verbs/schedule.ts')).addSchedule,
  lint: async () => (await import('./verbs/flow-files/lint.ts')).addLint,
  test: async () => (await import('./verbs/flow-files/test.ts')).addTest,
  backtest: async () => (await import('./verbs/flow-files/publish.ts')).addBacktest,
  publish: async () => (await import('./verbs/flow-files/publish.ts')).addPublish,
  migrate: async () => (await import('./verbs/flow-files/migrate.ts')).addMigrate,
  inbox: async () => (await import('./verbs/inbox.ts')).addInbox,
  notify: async () => (await import('./verbs/notify.ts')).addNotify,
  answer: async () => (await import('./verbs/event.ts')).addAnswer,
  '(commands to questions)': async () => (await import('./verbs/process-command.ts')).addQuestionCommands,
  event: async () => (await import('./verbs/event.ts')).addEvent,
  events: async () => (await import('./verbs/events.ts')).addEvents,
  unmatched: async () => (await import('./verbs/unmatched.ts')).addUnmatched,
  item: async () => (await import('./verbs/item.ts')).addItem,
  replay: async () => (await import('./verbs/replay.ts')).addReplay,
  sandbox: async () => (await import('./verbs/sandbox.ts')).addSandbox,
  clock: async () => (await import('./verbs/clock.ts')).addClock,
  setup: async () => (await import('./verbs/setup.ts')).addSetup,
  'callback-address': async () => (await import('./verbs/callback-address.ts')).addCallbackAddress,
  'console-link': async () => (await import('./verbs/console-link.ts')).addConsoleLink,
  'codec-server': async () => (await import('./verbs/codec-server.ts')).addCodecServer,
};

const EXIT_CODES: ExitCodeMeanings = {
  done: 'done',
  failed: 'it was refused or failed; with a query: at least one of the flows was',
  wrongUse: 'wrong use: an argument, an option or the input is wrong, and nothing was done',
  notFound: 'there is no such flow, batch or unmatched callback',
  unreachable: 'Temporal, or a worker that must answer, cannot be reached; try again later',
  endedOtherwise: 'the flow that was waited for ended, but not as Done',
  interrupted: 'Ctrl-C',
};

/** @param args what was typed: only its verb is loaded. Every verb is, where there is none of this name: for the help. */
export async function commandLine(terminal: Terminal, args: readonly string[] = []): Promise<Command> {
  const program = newProgram(
    {
      name: 'lockerflow',
      description:
        "Starts, follows and decides on locker flows. It uses Temporal's own settings: " +
        'TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_*, or a profile (TEMPORAL_PROFILE) ' +
        'of its configuration file. LOCKERFLOW_TASK_QUEUE names the task queue if it is not "lockerflow". ' +
        "With CONSOLE_URL, the address of the web console, Temporal's Web UI links each started process to its page there.",
      meanings: EXIT_CODES,
      isVersionOfVerb: Object.hasOwn(verbs, verbIn(args)),
    },
    terminal,
  );
  for (const load of await neededFor(args)) (await load())(program, terminal);
  return program;
}

async function neededFor(args: readonly string[]): Promise<(() => Promise<AddVerb>)[]> {
  if (args.length === 1 && VERSION_OPTIONS.has(args[0] ?? '')) return [];
  const typed = verbIn(args);
  if (Object.hasOwn(verbs, typed) && verbs[typed]) return [verbs[typed]];
  const add = (await import('./verbs/process-command.ts')).commandOfVerb(typed);
  return add ? [async () => add] : Object.values(verbs);
}

/** No option of the program takes a value. */
const verbIn = (args: readonly string[]): string => args.find((word) => !word.startsWith('-')) ?? '';

const VERSION_OPTIONS: ReadonlySet<string> = new Set(['--version', '-V']);

/** Runs one command to its end and gives its exit code; never throws. */
export const runCommandLine = async (args: readonly string[], terminal: Terminal): Promise<ExitCode> =>
  runProgram(await commandLine(terminal, args), args, terminal, async (error) => {
    const { failureMessage } = await import('./failure-messages.ts');
    return failureMessage(error);
  });
