// What a step made the process do, in words: from where the process stood before it and after it.
import type { Progress } from '../../contract/flows/flow-messages.ts';
import type { TracedStatus } from '../../driver/temporal/trace.ts';
import type { Shown } from './process-view.ts';

type MomentStatus = Pick<TracedStatus, 'awaited' | 'progress'>;

export function whatItDid(before: MomentStatus | null, after: MomentStatus): string[] {
  const [was, is] = [before?.progress as Shown | undefined, after.progress as Shown];
  return [
    ...migrated(was, is),
    ...callsOf(before, after),
    ...timersOf(before, after),
    ...(after.awaited.halted && !before?.awaited.halted
      ? [`stands still: ${after.awaited.halted.message}`]
      : []),
    ...('shipments' in is ? ofFlow(was && 'shipments' in was ? was : null, is) : ofFile(was, is)),
  ];
}

/** A process of a flow file says on which version it is. */
function migrated(was: Shown | undefined, is: Shown): string[] {
  if (!was || !('version' in was) || !('version' in is) || was.version === is.version) return [];
  return [`goes over from version ${was.version} to version ${is.version}`];
}

function callsOf(before: MomentStatus | null, { awaited }: MomentStatus): string[] {
  const open = [...(before?.awaited.calls ?? [])];
  return awaited.calls.flatMap((call) => {
    const index = open.indexOf(call);
    if (index < 0) return [`calls ${call}`];
    open.splice(index, 1);
    return [];
  });
}

function timersOf(before: MomentStatus | null, { awaited }: MomentStatus): string[] {
  const was = before?.awaited.timers ?? [];
  const has = (all: typeof was, { timer, until }: (typeof was)[number]) =>
    all.some((each) => each.timer === timer && each.until === until);
  return [
    ...awaited.timers
      .filter((each) => !has(was, each))
      .map(({ timer, until }) => `waits: ${timer} (${until})`),
    ...was.filter((each) => !has(awaited.timers, each)).map(({ timer }) => `waits no more: ${timer}`),
  ];
}

function ofFlow(was: Progress | null, is: Progress): string[] {
  const roles = Object.entries(is.shipments);
  return [
    ...roles.flatMap(([role, leg]) => {
      const before = was?.shipments[role as keyof Progress['shipments']];
      if (!before)
        return [`knows ${role}: ${leg.shipmentUid}${leg.lockerName ? ` in locker ${leg.lockerName}` : ''}`];
      const moved = before.stateCode === leg.stateCode ? [] : [`${role} is ${leg.stateCode ?? 'unknown'}`];
      return [...moved, ...(leg.done && !before.done ? [`${role} is done`] : [])];
    }),
    ...changed('phase', was?.phase, is.phase),
    ...changed('outcome', was?.outcome, is.outcome),
    ...is.ledger.flatMap((entry) => {
      const before = was?.ledger.find(
        ({ shipmentUid, stateCode, receivedAt }) =>
          shipmentUid === entry.shipmentUid &&
          stateCode === entry.stateCode &&
          receivedAt === entry.receivedAt,
      );
      if (before?.times === entry.times && before.verdict === entry.verdict) return [];
      return [`takes the report ${entry.stateCode} as ${entry.verdict}`];
    }),
    ...is.deadlines
      .filter(
        ({ passed, role, stage }) =>
          passed && !was?.deadlines.some((each) => each.role === role && each.stage === stage && each.passed),
      )
      .map(({ role, stage }) => `${role}.${stage} is overdue`),
    ...is.itemsLeft
      .slice(was?.itemsLeft.length ?? 0)
      .map(
        ({ lockerName, pupUid }) =>
          `leaves an item in locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}`,
      ),
    ...is.resolutions
      .slice(was?.resolutions.length ?? 0)
      .map(({ action, by, why }) => `keeps the decision of ${by}: ${action}, ${why}`),
  ];
}

function ofFile(was: Shown | undefined, is: Shown): string[] {
  if (!('questions' in is)) return [];
  const before = was && 'questions' in was ? was : null;
  const asked = is.questions.filter(({ id }) => !before?.questions.some((each) => each.id === id));
  return [
    ...asked.map(({ of, question }) => `asks ${of}: ${question}`),
    ...changed('phase', before?.phase, is.phase),
    ...(is.activity === 'Ended' && before?.activity !== 'Ended' ? ['ends'] : []),
  ];
}

const changed = (name: string, was: string | null | undefined, is: string | null): string[] =>
  was === is || is === null ? [] : [`${name}: ${is}`];
