// The update extendDeadline: whether it is possible now, and the deadline that it sets.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { MessageEvent } from '../../driver/definition.ts';
import { type Declaration, legOf } from '../../flows/declaration.ts';
import { LATEST_INSTANT } from '../../machines/state-start.ts';
import { stageOfState } from './deadlines.ts';
import { durationMs } from './duration.ts';
import type { Knowledge } from './knowledge.ts';
import { legState } from './legs-now.ts';
import { type Fields, fieldsOf, noSuchRole, roleIn } from './payload.ts';

const stagesInOrder: readonly Stage[] = ['dropOff', 'receiver', 'pickUp'];

interface Extension {
  readonly role: Role;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The extension, or why it is not possible. */
export function extension(
  flow: Declaration,
  known: Knowledge,
  { payload }: MessageEvent,
): Extension | string {
  const fields = fieldsOf(payload);
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  const { deadlines } = legOf(flow, role);
  const stage = deadlines.find((each) => each === fields.stage);
  if (!stage)
    return `stage is ${JSON.stringify(fields.stage)}, expected one of ${deadlines.join(', ') || 'none'} for ${role}`;
  const state = legState(flow, known, role);
  if (isBeyond(state, stage)) return `${role} is ${state}, beyond ${stage}`;
  const until = untilOf(fields);
  if (typeof until === 'string') return until;
  return until > LATEST_INSTANT ? 'the deadline would be after the year 9999' : { role, stage, until };
}

function isBeyond(state: string, stage: Stage): boolean {
  if (state === 'Completed' || state === 'Cancelled' || state === 'Superseded') return true;
  const now = stageOfState[state];
  return now !== undefined && stagesInOrder.indexOf(now) > stagesInOrder.indexOf(stage);
}

function untilOf({ until, fromNow }: Fields): number | string {
  if ((until === undefined) === (fromNow === undefined)) return 'give exactly one of until and fromNow';
  const duration = durationMs(fromNow);
  if (fromNow !== undefined)
    return duration === null
      ? `fromNow is ${JSON.stringify(fromNow)}, expected a duration like P3D or PT2H`
      : Date.now() + duration;
  const instant = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(instant))
    return `until is ${JSON.stringify(until)}, expected an instant like 2031-05-01T12:00:00Z`;
  return instant > Date.now() ? instant : `until is ${until}, which has passed`;
}

export function withExtension(known: Knowledge, { role, stage, until }: Extension): Knowledge {
  return { ...known, extended: { ...known.extended, [`${role}.${stage}`]: until } };
}
