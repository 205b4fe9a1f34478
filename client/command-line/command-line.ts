// The whole command line: its verbs (each in its own file), and how a command ends.
import type { Command } from 'commander';
import type { ExitCode, ExitCodeMeanings } from '../../runtime/terminal/exit-codes.ts';
import { newProgram, runProgram } from '../../runtime/terminal/program.ts';
import type { Terminal } from '../../runtime/terminal/terminal.ts';
import { failureWords } from './failure-words.ts';
import { addLogs } from './logs/logs.ts';
import { addAnswer } from './verbs/answer.ts';
import { addCallbackAddress } from './verbs/callback-address.ts';
import { addCancel } from './verbs/cancel.ts';
import { addClock } from './verbs/clock.ts';
import { addCodecServer } from './verbs/codec-server.ts';
import { addCompare } from './verbs/compare.ts';
import { addEvent } from './verbs/event.ts';
import { addExtend } from './verbs/extend.ts';
import { addBacktest } from './verbs/flow-files/backtest.ts';
import { addDiff } from './verbs/flow-files/diff.ts';
import { addLint } from './verbs/flow-files/lint.ts';
import { addMigrate } from './verbs/flow-files/migrate.ts';
import { addPublish } from './verbs/flow-files/publish.ts';
import { addTest } from './verbs/flow-files/test.ts';
import { addTry } from './verbs/flow-files/try.ts';
import { addFlows } from './verbs/flows.ts';
import { addInbox } from './verbs/inbox.ts';
import { addItemsLeft } from './verbs/items-left.ts';
import { addList } from './verbs/list.ts';
import { addLocks } from './verbs/locks.ts';
import { addParked } from './verbs/parked.ts';
import { addReplay } from './verbs/replay.ts';
import { addResolve } from './verbs/resolve.ts';
import { addSandbox } from './verbs/sandbox.ts';
import { addSchedules } from './verbs/schedules.ts';
import { addSetup } from './verbs/setup.ts';
import { addShipment } from './verbs/shipment.ts';
import { addShow } from './verbs/show.ts';
import { addStart } from './verbs/start.ts';
import { addAssign, addClaim, addRelease } from './verbs/task.ts';
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
  addCompare,
  addShipment,
  addFlows,
  addLint,
  addTry,
  addTest,
  addBacktest,
  addDiff,
  addPublish,
  addMigrate,
  addInbox,
  addLocks,
  addAnswer,
  addClaim,
  addRelease,
  addAssign,
  addEvent,
  addParked,
  addSchedules,
  addReplay,
  addSandbox,
  addClock,
  addLogs,
  addSetup,
  addCallbackAddress,
  addCodecServer,
] as const;

const EXIT_CODES: ExitCodeMeanings = {
  done: 'done',
  failed: 'it was refused or failed; with a query: at least one of the flows was',
  wrongUse: 'wrong use: an argument, an option or the input is wrong, and nothing was done',
  notFound: 'there is no such flow or parked callback',
  unreachable: 'Temporal, or a worker that must answer, cannot be reached; try again later',
  endedOtherwise: 'the flow that was waited for ended, but not as Done',
  needsPlan: 'diff: some processes could go over to the new version with a plan alone',
  notCarried: 'diff: some processes could not go over to the new version',
  interrupted: 'Ctrl-C',
};

export function commandLine(terminal: Terminal): Command {
  const program = newProgram(
    {
      name: 'lockerflow',
      description:
        "Starts, follows and decides on locker flows. It uses Temporal's own settings: " +
        'TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_*, or a profile (TEMPORAL_PROFILE) ' +
        'of its configuration file. LOCKERFLOW_TASK_QUEUE names the task queue if it is not "lockerflow". ' +
        "With CONSOLE_URL, the address of the web console, Temporal's Web UI links each started process to its page there.",
      meanings: EXIT_CODES,
    },
    terminal,
  );
  for (const add of verbs) add(program, terminal);
  return program;
}

/** Runs one command to its end and gives its exit code; never throws. */
export const runCommandLine = (words: readonly string[], terminal: Terminal): Promise<ExitCode> =>
  runProgram(commandLine(terminal), words, terminal, failureWords);
