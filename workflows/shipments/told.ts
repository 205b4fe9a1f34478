// What a step of a shipment flow is to the outside, where its start asked for it by `tell`.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Ending } from '../../driver/definition.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import type { Told as ToldEvent } from '../event-call.ts';
import { newsOf } from './news.ts';
import type { Picture } from './picture.ts';

export const TOLD = 'told';

export interface Told extends EventObject {
  readonly told: ToldEvent;
}

type PictureOf = (snapshot: AnyMachineSnapshot) => Picture;

/** Types: `flow.overdue`, `flow.needsPerson`, `flow.ended`. */
export function toldOf(
  before: AnyMachineSnapshot | null,
  now: AnyMachineSnapshot,
  picture: PictureOf,
): Told[] {
  const { input, flow: name, version } = picture(now).known.start;
  const { tell } = input;
  // The input is checked by the first activity; until then it may be anything.
  if (!tell || !Array.isArray(tell.events) || !isConnector(tell.to ?? 'x')) return [];
  const told = (type: string, data: unknown): Told => ({
    type: TOLD,
    told: {
      type: `flow.${type}`,
      data: data as Json,
      ...(tell.to != null && { to: tell.to }),
      flow: { name, version },
    },
  });
  const brought = newsOf(before && picture(before), picture(now)).flatMap(({ type, ...data }) => {
    if (type === 'needsPerson') return tell.events.includes('needsPerson') ? [told(type, data)] : [];
    const [role, word] = type.split('.');
    return word === 'overdue' && tell.events.includes('overdue') ? [told(word, { role, ...data })] : [];
  });
  const hasEnded = now.status !== 'active' && before?.status === 'active';
  return hasEnded && tell.events.includes('ended') ? [...brought, told('ended', endOf(now))] : brought;
}

const isConnector = (to: unknown): boolean => typeof to === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(to);

function endOf({ output }: AnyMachineSnapshot): unknown {
  const ending = output as Ending;
  if (ending.kind === 'result') return { result: ending.result };
  return ending.kind === 'failed' ? { code: ending.code } : { cancelled: true };
}
