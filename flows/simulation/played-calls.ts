// What a flow or an operation that a process has begun may say: what it never says in production is not played.
import type { EventObject } from 'xstate';
import type { VirtualCall } from '../../engine/virtual-host.ts';
import { type FlowFile, invokesIn, isMap, type Json, type JsonObject, mapOf } from '../language/flow-file.ts';
import type { Invocables } from '../language/lint/invokes.ts';
import { kindOfActor } from '../language/machine/actor-kinds.ts';
import type { Invocation } from '../language/machine/machine-runtime.ts';
import { eventsOfFlow, isAmong, legEventsOfFlow } from '../language/reading/invoked-events.ts';
import { resultProblem } from '../language/schema.ts';
import { legEventFields } from './played-bookings.ts';

/** As lint has them. */
export type SchemasOf = Invocables['schemasOf'];

const srcOf = ({ input }: VirtualCall): string => (input as Invocation).src;

/** What a flow file sends its parent has `data`; the events of a built-in flow, and those of legs, have fields of their own. */
export function eventOfChild(
  call: VirtualCall,
  { type, data }: { readonly type: string; readonly data: Json },
  { files, now }: { readonly files: readonly FlowFile[]; readonly now: number },
): EventObject {
  const src = srcOf(call);
  const hasData = eventsOfFlow(src) === null && !legEventsOfFlow(src, files).includes(type);
  const fields = hasData
    ? { data }
    : { ...legEventFields(call.id, type, now), ...(data as JsonObject | null) };
  return { ...fields, type };
}

/** What a flow file sends its parent is known where its file is. */
export function unsentProblem(
  call: VirtualCall,
  type: string,
  files: readonly FlowFile[],
): string | undefined {
  const { id } = call;
  const src = srcOf(call);
  const sent = eventsOfFlow(src, files);
  return sent === null || isAmong(sent, type.slice(id.length + 1))
    ? undefined
    : `${src} never sends ${type}; it sends ${sent.map((each) => `${id}.${each}`).join(', ')}`;
}

/** A story may give fewer fields than the operation, and none that it does not have. */
export function outputProblem(call: VirtualCall, output: Json, schemasOf: SchemasOf): string | undefined {
  const src = srcOf(call);
  const schema = kindOfActor(src) === 'operation' ? schemasOf(src)?.result : undefined;
  if (!schema) return undefined;
  if (!isMap(output)) return `output is ${JSON.stringify(output)}, and ${src} answers a map`;
  const { required: _, ...partly } = schema as JsonObject;
  const known = mapOf(partly.properties);
  const unknown = Object.keys(output).find((field) => !Object.hasOwn(known, field));
  return unknown === undefined
    ? resultProblem(output, partly)
    : `${src} does not answer ${unknown}, but ${Object.keys(known).join(', ') || 'no field'}`;
}

/** The id of its invoke: an item of an `each` has an id of its own within it. */
export function invokeOf({ id }: VirtualCall, file: FlowFile): string {
  const around = id.slice(0, id.lastIndexOf('.'));
  return invokesIn(file).some(({ id: each, invoke }) => each === around && invoke.src === 'each')
    ? around
    : id;
}
