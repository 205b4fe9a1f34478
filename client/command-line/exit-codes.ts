// The exit codes of the command line: which there are, what they mean, and which failure has which.

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

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'it was refused or failed; with a query, at least one of those found',
  wrongUse: 'wrong use: an argument, an option or the input is wrong, and nothing was done',
  notFound: 'there is no such flow or parked callback',
  unreachable: 'Temporal, or a worker that must answer, cannot be reached; try again later',
  endedOtherwise: 'the flow that was waited for ended, but not as Done',
  interrupted: 'Ctrl-C',
};

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
