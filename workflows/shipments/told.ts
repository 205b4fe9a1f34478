// What a step of a shipment flow is to the outside, where its start asked for it by `tell`.
import type { AnyMachineSnapshot } from 'xstate';
import { endToTell, type Told, tellIn, toldEvent } from '../told-event.ts';
import { newsOf } from './news.ts';
import type { Picture } from './picture.ts';

/** Types: `flow.reminder`, `flow.overdue`, `flow.needsPerson`, `flow.ended`. */
export function toldOf(
  before: AnyMachineSnapshot | null,
  now: AnyMachineSnapshot,
  picture: (snapshot: AnyMachineSnapshot) => Picture,
): Told[] {
  const { known } = picture(now);
  const { input, flow: name, version } = known.start;
  const tell = tellIn(input);
  if (!tell) return [];
  const told = (type: string, data: unknown) => toldEvent(tell, { name, version }, type, data);
  const earlier = before && picture(before);
  const reminders = (known.reminded ?? []).slice(earlier?.known.reminded?.length ?? 0);
  const brought = newsOf(earlier, picture(now)).flatMap(({ type, ...data }) => {
    if (type === 'needsPerson') return tell.events.includes('needsPerson') ? [told(type, data)] : [];
    const [role, word] = type.split('.');
    return word === 'overdue' && tell.events.includes('overdue') ? [told(word, { role, ...data })] : [];
  });
  const end = endToTell(tell, before, now);
  return [
    ...reminders.map((reminder) => told('reminder', reminder)),
    ...brought,
    ...(end ? [told('ended', end)] : []),
  ];
}
