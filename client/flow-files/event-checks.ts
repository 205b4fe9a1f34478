// The door for events: refuses data that the schemas of flow files (`events`) do not take. Where they cannot be read, the event goes
// on: the process itself puts aside what does not fit.
import type { Client } from '@temporalio/client';
import { ContractError } from '../../contract/wire/contract-error.ts';
import type { FlowFile, Json } from '../../flows/language/flow-file.ts';
import { eventIssues } from '../../flows/language/machine/incoming.ts';
import { aliasesIn } from '../../flows/language/machine/migration.ts';
import { publishedExactly } from './published-flows.ts';

interface SentEvent {
  readonly type: string;
  readonly data?: Json;
}

// Each may have 64 kB.
const MAX_FILES = 100;

export class EventChecks {
  readonly #client: Client;
  /** By `<flow>@<version>`: a version never changes. */
  readonly #files = new Map<string, FlowFile>();

  constructor(client: Client) {
    this.#client = client;
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

/** Also of an event by its former name. */
const issuesBy = (file: FlowFile, type: string, data: Json) =>
  eventIssues(file, aliasesIn(file)[type] ?? type, data);
