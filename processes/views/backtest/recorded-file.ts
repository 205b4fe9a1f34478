// What a process was started with, and the flow file that it runs on: one that its history has, or one that comes with the workers.
import { getOwn } from '../../../engine/chart/messages.ts';
import type { FlowFile, Json, JsonObject } from '../../../flows/language/flow-file.ts';
import type { Published } from '../../../flows/language/registry.ts';
import { shippedVersions } from '../../../flows/shipped/shipped-files.ts';
import { fileAtStartIn } from '../file-at-start.ts';
import type { HistoryEvent } from '../history-event.ts';
import { NotBacktestable } from './not-backtestable.ts';
import type { Payloads } from './payloads.ts';
import { workflowTime } from './workflow-time.ts';

/** The marker by which a workflow says which version of it a process runs on. */
const PATCH = 'core_patch';

export class RecordedFile {
  readonly #payloads: Payloads;
  #flow = '';
  #input: Json = {};
  #beside: JsonObject = {};
  #own: Pick<Published, 'file' | 'version'> | undefined;
  /** The highest that a process of a built-in flow has asked for; the first one leaves no mark. */
  #version = 1;
  #begunAt: number | undefined;

  constructor(payloads: Payloads) {
    this.#payloads = payloads;
  }

  /** Throws NotBacktestable. */
  get started() {
    const { file, version } = this.#published;
    return { file, version, input: this.#input, beside: this.#beside, begunAt: this.#begunAt ?? 0 };
  }

  get #published(): { readonly file: FlowFile; readonly version: number } {
    if (this.#own) return this.#own;
    const shipped = this.#shipped;
    if (!shipped || this.#begunAt === undefined)
      throw new NotBacktestable('it has no flow file: its start was refused, or it is new');
    const file = shipped[this.#version];
    if (!file)
      throw new NotBacktestable(
        `it runs on version ${this.#version} of ${this.#flow}, which this lockerflow does not have`,
      );
    return { file, version: this.#version };
  }

  get #shipped(): Readonly<Record<number, FlowFile>> | undefined {
    return getOwn(shippedVersions, this.#flow);
  }

  /** @param taskAt when the task began that has written the event */
  async read(event: HistoryEvent, taskAt: number): Promise<void> {
    await this.#start(event);
    await this.#mark(event, taskAt);
    // Where its file comes with the workers or with its start, its first task is its first step.
    if ((this.#shipped || this.#own) && event.workflowTaskCompletedEventAttributes) this.#begunAt ??= taskAt;
  }

  async #start({ workflowExecutionStartedEventAttributes: started }: HistoryEvent): Promise<void> {
    if (!started) return;
    this.#flow = started.workflowType?.name ?? '';
    const given = ((await this.#payloads.first(started.input)) ?? {}) as GivenAtStart;
    const { request = {}, clock, ...beside } = given;
    // By the sandbox's clock a process takes no time that anybody could play again.
    if (clock === 'sandbox')
      throw new NotBacktestable(
        'it goes by the clock of the sandbox: when that was moved does not stand in its history',
      );
    // A run that continues it was given the same.
    if (this.#begunAt === undefined) [this.#input, this.#beside] = [request, beside as JsonObject];
  }

  async #mark(event: HistoryEvent, taskAt: number): Promise<void> {
    const { markerRecordedEventAttributes: marker } = event;
    if (marker?.markerName === PATCH) await this.#patch(marker.details?.['patch-data']);
    if (this.#own || this.#shipped) return;
    const atStart = await fileAtStartIn(event, (payload) => this.#payloads.one(payload));
    if (!atStart) return;
    const published = atStart.published as Published | null;
    if (typeof published?.file?.states !== 'object')
      throw new NotBacktestable('what it began on is no flow file');
    this.#own = published;
    // The clock of a workflow goes on with a local activity.
    if (marker) this.#begunAt = atStart.fetchedAt ? workflowTime(atStart.fetchedAt) : taskAt;
  }

  async #patch(data: Parameters<Payloads['first']>[0]): Promise<void> {
    const { id = '' } = ((await this.#payloads.first(data)) ?? {}) as { readonly id?: string };
    const [flow, version] = id.split('@');
    if (flow === this.#flow) this.#version = Math.max(this.#version, Number(version) || 1);
  }
}

interface GivenAtStart extends Readonly<Record<string, unknown>> {
  readonly request?: Json;
  readonly clock?: unknown;
}
