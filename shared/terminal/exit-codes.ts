// The exit codes of our programs: the same number has the same meaning in each of them. Each program has its own text
// for it.
import { CommanderError } from 'commander';

export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  notFound: 3,
  unreachable: 4,
  endedOtherwise: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each code in one program, without the codes that it never gives. */
export type ExitCodeMeanings = Readonly<Partial<Record<keyof typeof exitCodes, string>>>;

export function formatExitCodes(meanings: ExitCodeMeanings): string {
  const lines = Object.entries(exitCodes).flatMap(([kind, code]) => {
    const meaning = meanings[kind as keyof typeof exitCodes];
    return meaning === undefined ? [] : [`  ${String(code).padStart(3)}  ${meaning}`];
  });
  return `\nExit codes:\n${lines.join('\n')}`;
}

/** A failure whose message says, in one line, what was wrong and what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: ExitCode;

  constructor(kind: Exclude<keyof typeof exitCodes, 'done'>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}

export const wrongUse = (message: string): CommandFailed => new CommandFailed('wrongUse', message);

// Any failure as text and an exit code. Never a stack trace: operators cannot use it.

export interface FailureMessage {
  readonly exitCode: ExitCode;
  /** Null if there is nothing to add, after --help. */
  readonly words: string | null;
}

export const failureOf = (exitCode: ExitCode, message: string): FailureMessage => {
  const [first = '', ...rest] = linesOf(message);
  return { exitCode, words: rest.length === 0 ? first : `${first} ${rest.join('; ')}` };
};

/** A list of what is wrong keeps its lines. */
export const listed = ({ exitCode, message }: { exitCode: ExitCode; message: string }): FailureMessage => ({
  exitCode,
  words: linesOf(message).join('\n  '),
});

const linesOf = (message: string): string[] =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** @param ofProgram the failures of the program's servers; null for an unknown one */
export const failureMessageOf = (
  error: unknown,
  ofProgram: (error: unknown) => FailureMessage | null,
): FailureMessage =>
  commandFailureMessage(error) ??
  ofProgram(error) ??
  failureOf(exitCodes.failed, error instanceof Error ? error.message : String(error));

/** How commands of every program end, --help among them; null for any other failure. */
export function commandFailureMessage(error: unknown): FailureMessage | null {
  if (error instanceof CommanderError) return ofCommander(error);
  if (error instanceof CommandFailed) return listed(error);
  // A wait that Ctrl-C has ended.
  if (error instanceof Error && error.name === 'AbortError')
    return failureOf(exitCodes.interrupted, 'interrupted');
  return null;
}

const helpGiven: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function ofCommander({ code, message }: CommanderError): FailureMessage {
  if (helpGiven.has(code)) return { exitCode: exitCodes.done, words: null };
  // A group of verbs without one of them: commander has shown its help.
  if (code === 'commander.help') return { exitCode: exitCodes.wrongUse, words: null };
  return failureOf(exitCodes.wrongUse, `${message.replace(/^error: /, '').replace(/\.$/, '')}; see --help`);
}
