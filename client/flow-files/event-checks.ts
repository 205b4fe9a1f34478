// Checks events before they are sent: refuses data that does not match the schemas of flow files (`events`). If these cannot be read,
// the event is sent all the same, and the process itself sets aside what does not fit.
import type { Client } from '@temporalio/client';
import type { CorrelationKeys } from '../../contract/flows/correlation.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { getOwn, matchesAny } from '../../engine/chart/messages.ts';
import type { FlowFile, Json } from '../../flows/language/flow-file.ts';
import { eventIssues, outsideEvents } from '../../flows/language/machine/incoming.ts';
import { aliasesIn } from '../../flows/language/machine/migration.ts';
import { formatExpected } from '../../flows/language/nearest-names.ts';
import type { ValueIssue } from '../../flows/language/value-issues.ts';
import { outlookOf } from '../../shared/routing/correlation-queues.ts';
import { publishedExactly, publishedFlows } from './published-flows.ts';

interface SentEvent {
  readonly type: string;
  readonly data?: Json;
}

interface CorrelatedEvent extends SentEvent {
  readonly where: CorrelationKeys;
}

// Each may have 64 kB.
const MAX_FILES = 100;
// Somebody who sends many events reads the list of flows once in this time. Before an event is refused, the list is read again.
const LIST_KNOWN_MS = 10_000;

export class EventChecks {
  readonly #client: Client;
  /** By `<flow>@<version>`: a version never changes. */
  readonly #files = new Map<string, FlowFile>();
  #newest: { readonly readAt: number; readonly files: Promise<readonly FlowFile[]> } | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The flows whose newest versions have the keys, listen for the type and take the data; null where they cannot be read. Throws
   * ContractError (InvalidRequest) where none takes the data, or where nobody listens: neither a flow, nor a process that is on a
   * former version.
   * @param keepsUnknown an event for which nobody listens is not refused: its flow may be published later
   */
  async requireTaken(event: CorrelatedEvent, keepsUnknown: boolean): Promise<readonly string[] | null> {
    const isRefused = ({ issues, isUnknown }: Judged) => issues.length > 0 && !(isUnknown && keepsUnknown);
    let judged = await this.#judged(event, LIST_KNOWN_MS);
    if (judged && isRefused(judged)) judged = await this.#judged(event, 0);
    if (!judged) return null;
    const { flows, issues, isUnknown } = judged;
    if (!isRefused(judged)) return flows;
    if (isUnknown && ((await outlookOf(this.#client, event))?.processes ?? 0) > 0) return flows;
    throw new ContractError('InvalidRequest', issues);
  }

  async #judged(event: CorrelatedEvent, knownMs: number): Promise<Judged | undefined> {
    const files = await this.#newestFiles(knownMs).catch(() => undefined);
    return files && judged(event, files);
  }

  /** Concurrent callers share one read; a failure is not kept. */
  #newestFiles(knownMs: number): Promise<readonly FlowFile[]> {
    const now = Date.now();
    if (this.#newest && now - this.#newest.readAt < knownMs) return this.#newest.files;
    const files = publishedFlows(this.#client).then((all) => all.map(({ file }) => file));
    const newest = { readAt: now, files };
    this.#newest = newest;
    files.catch(() => {
      if (this.#newest === newest) this.#newest = undefined;
    });
    return files;
  }

  /** By the version that the process runs on. Throws ContractError (InvalidRequest), which names every wrong field. */
  async requireFit(workflowId: string, { type, data = null }: SentEvent): Promise<void> {
    const file = await this.#fileOf(workflowId).catch(() => undefined);
    const issues = file ? issuesBy(file, type, data) : [];
    if (issues.length > 0) throw new ContractError('InvalidRequest', issues);
  }

  async #fileOf(workflowId: string): Promise<FlowFile | undefined> {
    const { searchAttributes } = await this.#client.workflow.getHandle(workflowId).describe();
    const [definition = ''] = (searchAttributes.LockerFlowVersion ?? []) as string[];
    const known = this.#files.get(definition);
    if (known || definition === '') return known;
    const [name = '', version] = definition.split('@');
    const found = await publishedExactly(this.#client, name, Number(version));
    if (this.#files.size >= MAX_FILES) this.#files.clear();
    if (found) this.#files.set(definition, found.file);
    return found?.file;
  }
}

/** The present name of an event that may be sent by its former one. */
const nameIn = (file: FlowFile, type: string): string => getOwn(aliasesIn(file), type) ?? type;

const issuesBy = (file: FlowFile, type: string, data: Json) => eventIssues(file, nameIn(file, type), data);

interface Judged {
  readonly flows: readonly string[];
  readonly issues: readonly ValueIssue[];
  readonly isUnknown?: true;
}

function judged({ type, where, data = null }: CorrelatedEvent, files: readonly FlowFile[]): Judged {
  const keys = Object.keys(where);
  const having = files.filter(({ correlate = {} }) => keys.every((key) => Object.hasOwn(correlate, key)));
  const hearing = having.filter((file) => matchesAny(nameIn(file, type), outsideEvents(file)));
  if (hearing.length === 0)
    return { flows: [], issues: [nobodyListens(type, keys, having, files)], isUnknown: true };
  const issuesOf = hearing.map((file) => ({ name: file.name, issues: issuesBy(file, type, data) }));
  const [nearest] = issuesOf.toSorted((one, other) => one.issues.length - other.issues.length);
  if (nearest && nearest.issues.length > 0) return { flows: [], issues: nearest.issues };
  return { flows: issuesOf.flatMap(({ name, issues }) => (issues.length === 0 ? [name] : [])), issues: [] };
}

const KEEP_ANYWAY = 'keepAnyway keeps it for a flow that is published later';

function nobodyListens(
  type: string,
  keys: readonly string[],
  having: readonly FlowFile[],
  files: readonly FlowFile[],
): ValueIssue {
  const listed = keys.join(', ');
  if (having.length > 0) {
    const expected = formatExpected(type, having.flatMap(outsideEvents));
    return {
      field: 'type',
      message: `no flow with the key ${listed} takes ${type}; ${expected}. ${KEEP_ANYWAY}`,
    };
  }
  const known = files.flatMap(({ correlate = {} }) => Object.keys(correlate));
  const [unknown = listed] = keys.filter((key) => !known.includes(key));
  const expected = formatExpected(
    unknown,
    known.filter((key) => !keys.includes(key)),
  );
  return {
    field: 'where',
    message: `no published flow has the key ${listed} in correlate; ${expected}. ${KEEP_ANYWAY}`,
  };
}
