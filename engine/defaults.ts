// The defaults of a definition: enough to run any machine and to see its state in the Web UI.
import type { AnyMachineSnapshot } from 'xstate';
import { checked } from './chart/check.ts';
import { delayNamesOnce, hasWildcard, messagesOf } from './chart/messages.ts';
import type { Complete, Declared, Definition, PendingWork } from './definition.ts';
import { prepared, takenOf } from './stepper.ts';

// Far more than a machine takes at once.
const MAX_MICROSTEPS = 10_000;

/** Checked, and with all defaults. */
export function complete(declared: Declared): Complete {
  const { machine } = declared;
  checked(machine);
  const name = machine.id;
  const messages = messagesOf(machine);
  const progress: Definition['progress'] = (snapshot, _late, awaited, asked) =>
    progressOf(messages, snapshot, awaited, asked);
  return {
    signals: Object.fromEntries(messages.map((type) => [type, `The event ${type} of ${name}`])),
    takesAnySignal: declared.signals === undefined && hasWildcard(machine),
    updates: {},
    refusal: (snapshot, { type }) => `${name}: ${type} is not possible in ${wordsOf(snapshot.value)}`,
    progress,
    details: (snapshot, awaited) => detailsOf(name, progressOf(messages, snapshot, awaited)),
    searchAttributes: () => null,
    timerSummary: (delay) => (/^\d+$/.test(delay) ? `after ${Number(delay) / 1000} s` : delay),
    isOurs: () => true,
    handOver: null,
    delayNames: delayNamesOnce(),
    ...declared,
    machine: prepared(machine, MAX_MICROSTEPS),
  };
}

/** The answer to the query `progress`. */
export interface Progress {
  readonly status: string;
  /** The machine's state. */
  readonly value: unknown;
  readonly tags: readonly string[];
  readonly awaits: PendingWork & { readonly events: readonly string[] };
  readonly output?: unknown;
  /** Only on request. */
  readonly context?: unknown;
}

/**
 * The state of a machine and what it waits for. The context only on request: it may have data that not everyone
 * should see.
 */
function progressOf(
  messages: readonly string[],
  snapshot: AnyMachineSnapshot,
  awaited: PendingWork = { timers: [], calls: [] },
  asked: { readonly context?: boolean } = {},
): Progress {
  const { status, value, output, context } = snapshot;
  const isOpen = status === 'active';
  const { timers, calls, halted } = awaited;
  const events = isOpen ? takenOf(messages, snapshot).sort() : [];
  return {
    status,
    value,
    tags: [...snapshot.tags].sort(),
    awaits: { events, timers, calls, ...(halted && { halted }) },
    ...(output !== undefined && { output }),
    ...(asked.context === true && { context }),
  };
}

function detailsOf(name: string, { value, awaits, tags }: Progress): string {
  const { events, timers, calls, halted } = awaits;
  const lines = [
    `**${name}: ${wordsOf(value)}**${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`,
    ...(halted ? [`- halted at \`${halted.event}\`: ${halted.code}: ${halted.message}`] : []),
    ...calls.map((call) => `- runs \`${call}\``),
    ...(events.length > 0 ? [`- takes ${events.map((type) => `\`${type}\``).join(', ')}`] : []),
    ...timers.map(({ timer, until }) => `- ${timer}: ${until}`),
  ];
  return lines.join('\n');
}

/** `a.b` for a nested state; commas separate the regions of a parallel one. */
export function wordsOf(value: unknown): string {
  return leavesOf(value)
    .map((path) => `\`${path}\``)
    .join(', ');
}

/** The innermost active states of a snapshot's value, each as `a.b`. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const inner = Object.entries(value as Record<string, unknown>);
  return inner.flatMap(([state, deeper]) => {
    const leaves = leavesOf(deeper);
    return leaves.length > 0 ? leaves.map((path) => `${state}.${path}`) : [state];
  });
}
