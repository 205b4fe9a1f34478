// The common part of our command lines: --version, --json with each verb, exit codes in the help, thrown errors.
import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { type ExitCode, type ExitCodeMeanings, exitCodes, formatExitCodes } from './exit-codes.ts';
import { commandFailureMessage, type FailureMessage } from './failure-message.ts';
import type { Terminal } from './terminal.ts';

/** The package's, which its modules find by its name, as source and as built. */
const { version } = createRequire(import.meta.url)('lockerflow/package.json') as { readonly version: string };

export interface Program {
  readonly name: string;
  readonly description: string;
  readonly meanings: ExitCodeMeanings;
  /** A verb may have a --version of its own: the program's would be taken in its place. */
  readonly isVersionOfVerb?: boolean;
}

export function newProgram(
  { name, description, meanings, isVersionOfVerb = false }: Program,
  { write }: Pick<Terminal, 'write'>,
): Command {
  const json = new Option('--json', 'print the outcome as JSON: one value, or one value a line');
  const program = new OwnCommand(name);
  return (
    (isVersionOfVerb ? program : program.version(version))
      .description(description)
      .addOption(json)
      .exitOverride()
      // The message comes with the error that is thrown.
      .configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined })
      // The program's one option that every verb takes.
      .configureHelp({
        showGlobalOptions: true,
        visibleGlobalOptions: ({ parent }) => (parent ? [json] : []),
      })
      .addHelpText('after', formatExitCodes(meanings))
  );
}

/** Commander suggests an option for one that is misspelt; this, also for one that is cut short: --pick for --pick-up-point. */
class OwnCommand extends Command {
  override createCommand(name?: string): Command {
    return new OwnCommand(name);
  }

  /** Commander calls it; its types do not have it. */
  unknownOption(flag: string): void {
    const longer = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => (flag.length > 2 && long?.startsWith(flag) ? [long] : []));
    if (longer.length > 0)
      this.error(`error: unknown option '${flag}' (Did you mean ${longer.join(' or ')}?)`, UNKNOWN_OPTION);
    (Command.prototype as unknown as OwnCommand).unknownOption.call(this, flag);
  }
}

const UNKNOWN_OPTION = { code: 'commander.unknownOption' };

/**
 * Runs one command to its end and gives its exit code; never throws.
 * @param failureMessage asked only about failures that not every program has; it may load what it needs for that
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { complain }: Pick<Terminal, 'complain'>,
  failureMessage: (error: unknown) => FailureMessage | Promise<FailureMessage>,
): Promise<ExitCode> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { exitCode, text: message } = commandFailureMessage(error) ?? (await failureMessage(error));
    if (message !== null) complain(message);
    return exitCode;
  }
}
