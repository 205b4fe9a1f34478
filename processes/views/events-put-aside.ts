// Which events from outside a process has put aside, and why: it judged each by the version of its flow file that it ran on then,
// and its history has all of these.
import type { EventObject } from 'xstate';
import { getOwn } from '../../engine/chart/messages.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { Incoming } from '../../flows/language/machine/incoming.ts';
import { aliasesIn } from '../../flows/language/machine/migration.ts';
import type { Published } from '../../flows/language/registry.ts';
import { fileAtStartIn } from './file-at-start.ts';
import type { Decode, HistoryEvent } from './history-event.ts';

/** One run of the process. Of a file that comes with the workers no history has anything: then nothing is known. */
export class EventsPutAside {
  readonly #decode: Decode;
  /** Where it is to go, by the events that accept the migrations. */
  readonly #migrations = new Map<string, Published>();
  #reasonOf: ((payload: unknown) => string | undefined) | undefined;

  private constructor(decode: Decode, published: Published | undefined) {
    this.#decode = decode;
    this.#runOn(published);
  }

  /** Events that come before the run has its file wait for it. */
  static async ofRun(events: readonly HistoryEvent[], decode: Decode): Promise<EventsPutAside> {
    const isNeeded = events.some(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName === 'event',
    );
    return new EventsPutAside(decode, isNeeded ? await publishedIn(events, decode) : undefined);
  }

  /** Undefined: the process has taken it, or nothing is known. */
  reasonOf(payload: unknown): string | undefined {
    return this.#reasonOf?.(payload);
  }

  /** The process goes over to another version when it answers the update. */
  async read({
    eventId,
    workflowExecutionUpdateAcceptedEventAttributes: accepted,
    workflowExecutionUpdateCompletedEventAttributes: completed,
  }: HistoryEvent): Promise<void> {
    if (!this.#reasonOf) return;
    const { name, args } = accepted?.acceptedRequest?.input ?? {};
    if (name === 'migrate') {
      const { to } = ((await this.#decode(args?.payloads?.[0])) ?? {}) as { readonly to?: unknown };
      if (isPublished(to)) this.#migrations.set(String(eventId), to);
    }
    const to = this.#migrations.get(String(completed?.acceptedEventId));
    if (to && completed?.outcome?.success) this.#runOn(to);
  }

  #runOn(published: Published | undefined): void {
    this.#reasonOf = published && judgeBy(published.file);
  }
}

/** A former name is known as far as the file says it: what a migration's plan says beside that is not. */
function judgeBy(file: FlowFile): (payload: unknown) => string | undefined {
  const incoming = new Incoming(file);
  const aliases = aliasesIn(file);
  const named = (event: EventObject) => ({ ...event, type: getOwn(aliases, event.type) ?? event.type });
  return (payload) => incoming.whyPutAside({ type: 'event', payload }, named);
}

/** What the run before has handed over, or else what this one began on. */
async function publishedIn(events: readonly HistoryEvent[], decode: Decode): Promise<Published | undefined> {
  for (const event of events) {
    const { workflowExecutionStartedEventAttributes: started } = event;
    if (started?.continuedExecutionRunId) {
      const continued = (await decode(started.input?.payloads?.[1])) as Continued | null;
      const published = continued?.carries?.published;
      return isPublished(published) ? published : undefined;
    }
    const atStart = await fileAtStartIn(event, decode);
    if (atStart) return isPublished(atStart.published) ? atStart.published : undefined;
  }
  return undefined;
}

interface Continued {
  readonly carries?: { readonly published?: unknown };
}

/** What cannot be decoded is none. */
function isPublished(value: unknown): value is Published {
  const { file } = (value ?? {}) as Partial<Published>;
  return typeof file?.states === 'object' && file.states !== null;
}
