// What a process of ours logs goes on to its log file, and its warnings and errors also to whoever watches: one line each.
import { Writable } from 'node:stream';

// pino's numbers.
const WARN = 40;
const ERROR = 50;

type Tell = (words: string, level: 'warn' | 'error') => void;

export function gravePassedOn(log: Writable, tell: Tell): Writable {
  let begun = '';
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = `${begun}${chunk}`.split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) tellGrave(line, tell);
      log.write(chunk, done);
    },
  });
}

function tellGrave(line: string, tell: Tell): void {
  const event = eventIn(line);
  if (event?.level === undefined || event.level < WARN) return;
  const words = [event.msg, event.err?.message].filter(Boolean).join(': ');
  tell(words.replaceAll(/\s*\n\s*/g, ' '), event.level < ERROR ? 'warn' : 'error');
}

interface LogEvent {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/** Undefined for what is no event: what Node itself says. */
function eventIn(line: string): LogEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    return undefined; // It only looked like one; it is in the log file as it is.
  }
}
