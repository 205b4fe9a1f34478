// What a step made the process do: from where the process stood before it and after it, as data and in words.
import { nameOf } from '../../contract/flows/attribution.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import type { TracedStatus } from '../../engine/temporal/trace.ts';
import { timerData } from '../../processes/views/timeline-data.ts';
import type { AnyProgress, StepEffect } from './process-view.ts';

type MomentStatus = Pick<TracedStatus, 'awaited' | 'progress'>;

export function whatItDid(before: MomentStatus | null, after: MomentStatus): StepEffect[] {
  const [was, is] = [before?.progress as AnyProgress | undefined, after.progress as AnyProgress];
  const { halted } = after.awaited;
  return [
    ...migrated(was, is),
    ...callsOf(before, after),
    ...timersOf(before, after),
    ...(halted && !before?.awaited.halted
      ? [{ type: 'halted', code: halted.code, message: halted.message } as const]
      : []),
    ...('shipments' in is ? ofFlow(was && 'shipments' in was ? was : null, is) : ofFile(was, is)),
  ];
}

/** A process of a flow file says on which version it is. */
function migrated(was: AnyProgress | undefined, is: AnyProgress): StepEffect[] {
  if (!was || !('version' in was) || !('version' in is) || was.version === is.version) return [];
  return [{ type: 'migrated', from: was.version, to: is.version }];
}

function callsOf(before: MomentStatus | null, { awaited }: MomentStatus): StepEffect[] {
  const open = [...(before?.awaited.calls ?? [])];
  return awaited.calls.flatMap((call): StepEffect[] => {
    const index = open.indexOf(call);
    if (index < 0) return [{ type: 'calls', activity: call }];
    open.splice(index, 1);
    return [];
  });
}

function timersOf(before: MomentStatus | null, { awaited }: MomentStatus): StepEffect[] {
  const was = before?.awaited.timers ?? [];
  const has = (all: typeof was, { timer, until }: (typeof was)[number]) =>
    all.some((each) => each.timer === timer && each.until === until);
  return [
    ...awaited.timers
      .filter((each) => !has(was, each))
      .map(({ timer, until }): StepEffect => ({ type: 'waits', ...timerData(timer), until })),
    ...was
      .filter((each) => !has(awaited.timers, each))
      .map(({ timer }): StepEffect => ({ type: 'waitsNoMore', ...timerData(timer) })),
  ];
}

function ofFlow(was: Progress | null, is: Progress): StepEffect[] {
  const roles = Object.entries(is.shipments);
  return [
    ...roles.flatMap(([role, leg]): StepEffect[] => {
      const { shipmentUid, lockerName, stateCode } = leg;
      const before = was?.shipments[role as keyof Progress['shipments']];
      if (!before) return [{ type: 'knows', role, shipmentUid, lockerName }];
      return [
        ...(before.stateCode === stateCode ? [] : [{ type: 'moved', role, stateCode } as const]),
        ...(leg.done && !before.done ? [{ type: 'legDone', role } as const] : []),
      ];
    }),
    ...phaseOf(was, is),
    ...(was?.outcome === is.outcome || is.outcome === null
      ? []
      : [{ type: 'outcome', outcome: is.outcome } as const]),
    ...is.ledger.flatMap((entry): StepEffect[] => {
      const { shipmentUid, stateCode, verdict } = entry;
      const before = was?.ledger.find(
        (each) =>
          each.shipmentUid === shipmentUid &&
          each.stateCode === stateCode &&
          each.receivedAt === entry.receivedAt,
      );
      if (before?.times === entry.times && before.verdict === verdict) return [];
      return [{ type: 'reportTaken', shipmentUid, stateCode, verdict }];
    }),
    ...is.deadlines
      .filter(
        ({ passed, role, stage }) =>
          passed && !was?.deadlines.some((each) => each.role === role && each.stage === stage && each.passed),
      )
      .map(({ role, stage }): StepEffect => ({ type: 'overdue', role, stage })),
    ...is.itemsLeft
      .slice(was?.itemsLeft.length ?? 0)
      .map(({ lockerName, pupUid }): StepEffect => ({ type: 'itemLeft', lockerName, pupUid })),
    ...is.resolutions
      .slice(was?.resolutions.length ?? 0)
      .map(({ action, why, ...who }): StepEffect => ({ type: 'decisionKept', action, by: nameOf(who), why })),
  ];
}

function ofFile(was: AnyProgress | undefined, is: AnyProgress): StepEffect[] {
  if (!('questions' in is)) return [];
  const before = was && 'questions' in was ? was : null;
  const asked = is.questions.filter(({ id }) => !before?.questions.some((each) => each.id === id));
  return [
    ...asked.map(({ id, of, question }): StepEffect => ({ type: 'asks', id, inbox: of, question })),
    ...phaseOf(before, is),
    ...(is.activity === 'Ended' && before?.activity !== 'Ended' ? [{ type: 'ended' } as const] : []),
  ];
}

const phaseOf = (
  was: Pick<AnyProgress, 'phase'> | null,
  { phase }: Pick<AnyProgress, 'phase'>,
): StepEffect[] => (was?.phase === phase || phase === null ? [] : [{ type: 'phase', phase }]);

export function formatDoing(doing: StepEffect): string {
  switch (doing.type) {
    case 'migrated':
      return `goes over from version ${doing.from} to version ${doing.to}`;
    case 'calls':
      return `calls ${doing.activity}`;
    case 'waits':
      return `waits: ${doing.timer} (${doing.until})`;
    case 'waitsNoMore':
      return `waits no more: ${doing.timer}`;
    case 'halted':
      return `stands still: ${doing.message}`;
    case 'knows': {
      const locker = doing.lockerName ? ` in locker ${doing.lockerName}` : '';
      return `knows ${doing.role}: ${doing.shipmentUid}${locker}`;
    }
    case 'moved':
      return `${doing.role} is ${doing.stateCode ?? 'unknown'}`;
    case 'legDone':
      return `${doing.role} is done`;
    case 'phase':
      return `phase: ${doing.phase}`;
    case 'outcome':
      return `outcome: ${doing.outcome}`;
    case 'reportTaken':
      return `takes the report ${doing.stateCode} as ${doing.verdict}`;
    case 'overdue':
      return `${doing.role}.${doing.stage} is overdue`;
    case 'itemLeft':
      return `leaves an item in locker ${doing.lockerName ?? 'unknown'} of ${doing.pupUid ?? 'unknown'}`;
    case 'decisionKept':
      return `keeps the decision of ${doing.by}: ${doing.action}, ${doing.why}`;
    case 'asks':
      return `asks ${doing.inbox}: ${doing.question}`;
    case 'ended':
      return 'ends';
  }
}
