// `starts` of a flow file: which process an event starts. Not for the workflow sandbox.
import { getOwn } from '../../../engine/chart/messages.ts';
import { Budget } from '../expressions/cost.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { eventEnvironment } from '../expressions/language.ts';
import { template } from '../expressions/template.ts';
import type { EventStartData, FlowFile, Json } from '../flow-file.ts';
import { eventIssues } from '../machine/incoming.ts';
import { formatStartIssue, startIssues } from './start-issues.ts';

export interface StartingEvent {
  readonly type: string;
  readonly id: string;
  readonly data: Json;
}

export interface EventStart {
  readonly flow: string;
  readonly key: string;
  readonly request: Json;
}

/** Undefined if the file does not start by it. Issues, if it should and cannot: the sender corrects the data. */
export function startOf(file: FlowFile, event: StartingEvent): EventStart | readonly string[] | undefined {
  const given = getOwn<EventStartData>(file.starts, event.type);
  if (given === undefined) return undefined;
  const wrong = eventIssues(file, event.type, event.data);
  if (wrong.length > 0) return wrong.map(formatStartIssue);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a start without them has.
  const { key = `${file.name}.\${event.id}`, request = '${event.data}' } = given;
  const filled = (value: Json, field: string): Json =>
    template(value, `starts.${event.type}.${field}`, { environment: eventEnvironment() })(
      { event: { ...event } },
      new Budget(),
    );
  try {
    const name = filled(key, 'key');
    if (typeof name !== 'string' && typeof name !== 'number')
      return [
        `starts.${event.type}.key gives ${JSON.stringify(name).slice(0, 100)}, expected a text or a number`,
      ];
    const start = { flow: file.name, key: String(name), request: filled(request, 'request') };
    const issues = startIssues(file, { request: start.request });
    return issues.length === 0 ? start : issues.map(formatStartIssue);
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return [error.message];
  }
}
