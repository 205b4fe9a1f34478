// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// The built-in flows as flow files: each books its operation, and ends with the booking.
import type { Declaration, Legs, Versions } from '../built-in/declaration.ts';
import { legsBookedBy } from '../built-in/flows.ts';
import type { FlowFile, JsonObject } from '../language/flow-file.ts';
import { outputOfBooking, outputOfLastState } from '../language/whole-process.ts';
import { otherEnds } from './ends.ts';

/** The id of the invoke that books. */
export const SHIPMENTS = 'shipments';

export const filesOf = (versions: Versions): Readonly<Record<number, FlowFile>> =>
  Object.fromEntries(Object.entries(versions).map(([version, declared]) => [version, fileOf(declared)]));

export const fileOf = ({ name, operation, meaning, legs, personAssignsLegs }: Declaration): FlowFile => ({
  name,
  meaning,
  initial: 'following',
  states: {
    following: {
      invoke: {
        id: SHIPMENTS,
        src: 'book',
        input: {
          operation,
          isWhole: true,
          ...(personAssignsLegs && { personAssignsLegs }),
          ...otherLegs(operation, legs),
        },
        onDone: 'done',
        onError: [{ guard: "${event.error.code == 'Cancelled'}", target: 'cancelled' }, 'refused'],
      },
    },
    done: { type: 'final', output: outputOfBooking },
    ...otherEnds,
  },
  output: outputOfLastState,
});

/** What is otherwise than the operation has it. */
function otherLegs(operation: string, legs: Legs): { readonly legs?: JsonObject } {
  const base = legsBookedBy(operation);
  const changed = Object.entries(legs).flatMap(([role, leg]) => {
    const own: Readonly<Record<string, unknown>> = { ...base[role as keyof Legs] };
    const fields = Object.entries(leg).filter(
      ([key, value]) => JSON.stringify(own[key]) !== JSON.stringify(value),
    );
    return fields.length > 0 ? [[role, Object.fromEntries(fields)] as const] : [];
  });
  return changed.length > 0 ? { legs: Object.fromEntries(changed) as JsonObject } : {};
}
