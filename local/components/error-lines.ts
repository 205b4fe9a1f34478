// The lines of a process that a person should see: warnings and errors, one line each, and its last output when it
// ends. All of its lines go on to its log file.
import { Writable } from 'node:stream';

// pino's numbers.
const WARN = 40;
const ERROR = 50;

type Report = (words: string, level: 'warn' | 'error') => void;

/** Ending this stream ends the log after its last line: a slow disk still writes when the process has ended. */
export function reportingErrors(log: Writable, tell: Report): Writable {
  let begun = '';
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = `${begun}${chunk}`.split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) reportError(line, tell);
      log.write(chunk, done);
    },
    final(done) {
      log.end(done);
    },
  });
}

function reportError(line: string, tell: Report): void {
  const event = eventIn(line);
  if (event?.level === undefined || event.level < WARN) return;
  tell(messageOf(event), event.level < ERROR ? 'warn' : 'error');
}

/** Lines that explain why a process ended; the log file has the rest. */
const LAST_LINES = 3;

/** The reasons in one line: the last warnings and errors, or the last output if there were none. */
export function formatEndReasons(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const grave = lines.filter((line) => (eventIn(line)?.level ?? ERROR) >= WARN);
  const words = (grave.length > 0 ? grave : lines).slice(-LAST_LINES).map((line) => {
    const event = eventIn(line);
    return event ? messageOf(event) : explained(line.trim());
  });
  return words.join('; ');
}

/** The shell prints "Killed" in place of the program that was killed. */
const explained = (line: string): string =>
  line === 'Killed' ? 'Killed (SIGKILL: by hand, or by the system, mostly for lack of memory)' : line;

/** With the flow's key if the line is about a flow: a person needs it for `npx lockerflow show`. */
function messageOf({ msg, err, workflowId }: LogEvent): string {
  return [workflowId === undefined ? msg : `${msg ?? ''} (${workflowId})`, err?.message]
    .filter(Boolean)
    .join(': ')
    .replaceAll(/\s*\n\s*/g, ' ');
}

interface LogEvent {
  readonly level?: number;
  readonly msg?: string;
  readonly workflowId?: string;
  readonly err?: { readonly message?: string };
}

/** Undefined if the line is not an event, like Node's own output. */
function eventIn(line: string): LogEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    return undefined; // It only looked like one; it is in the log file as it is.
  }
}
