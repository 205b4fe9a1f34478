// The exit codes of our programs: the same number has the same meaning in each of them. Each program has its own text
// for it.

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
