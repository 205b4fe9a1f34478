// A process of a flow file that is in a state which its file calls overdue: everything that counts, lists and tells of late bookings
// has it, too.
import { expect, test } from 'vitest';
import { overviewOf } from '../../../console/process/overview/overview.ts';
import { waitingFor } from '../../../flows/language/waiting-for.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { entryOf } from '../../../processes/inbox/late.ts';
import { dueOf } from '../../../processes/views/due.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { summaryOf } from '../../../processes/views/process-summary.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { fileOf } from '../../flows/language/names.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';

const loan = fileOf(`
name: Loan
meaning: A device is lent, and may be late.
initial: lent
states:
  lent: { after: { P14D: late }, on: { returned: over } }
  late:
    title: Not back yet
    overdue: true
    initial: looked
    states:
      looked: { after: { P30D: asked } }
      asked:
        invoke: { id: desk, src: ask, input: { of: desk, question: Is it back? }, onDone: "#back" }
    on: { returned: over, lost: lent }
  over: { id: back, type: final }
`);

const lateSince = '2026-01-19T09:00:00.000Z';

function late(): Player {
  const player = new Player(loan, { at: '2026-01-05T09:00:00Z' });
  expect(player.progress).toMatchObject({ phase: 'Open' });
  player.pass('P16D');
  return player;
}

const attributesOf = ({ process }: Player) =>
  process.definition.views.searchAttributes(process.snapshot, process.pending);

test('its phase is Overdue, since the state was entered, and until it is left', () => {
  const player = late();
  expect(player.progress).toMatchObject({
    phase: 'Overdue',
    waitingFor: [
      {
        code: 'Overdue',
        words: 'Not back yet: overdue since 2026-01-19 09:00 UTC',
        since: lateSince,
        isOverdue: true,
      },
      { code: 'Time' },
      { code: 'Event' },
    ],
  });
  expect(attributesOf(player)).toMatchObject({ LockerPhase: 'Overdue' });
  player.send('lost');
  expect(player.progress.phase).toBe('Open');
  expect(attributesOf(player)).toMatchObject({ LockerPhase: 'Open' });
});

test('lists show it among what is late, by the moment since which it is', () => {
  const player = late();
  const row = () => {
    const { where, next } = rowStateOf(player.progress);
    return { startedAt: null, phase: 'Overdue', summary: { where, next, until: null, clockAheadMs: 0 } };
  };
  const now = Date.parse(player.now);
  expect(row().summary.next).toMatchObject({ since: lateSince, until: lateSince, isOverdue: true });
  expect(dueOf(row(), now)).toMatchObject({ kind: 'late', at: lateSince });
  // With a question that waits for an answer, too.
  player.pass('P30D');
  expect(row().summary.next).toMatchObject({ code: 'Answer', isForUs: true, isOverdue: true });
  expect(dueOf(row(), now)).toMatchObject({ kind: 'late', at: lateSince });
});

test('the page says what is overdue, and not that somebody is late at a locker', () => {
  const { wrong, status, todoCode } = overviewOf({
    process: { flow: 'Loan', status: 'Running', failure: null, trying: [] },
    progress: late().progress,
    actionForms: [],
    chart: null,
    timers: [],
    parent: null,
  });
  expect({ wrong, status: status.words, todoCode }).toEqual({
    wrong: [`Not back yet is overdue since ${lateSince}.`],
    status: 'Overdue',
    todoCode: null,
  });
});

test('a case that is late at a locker and asks a question until later is late since the deadline that passed', () => {
  const asked = {
    of: 'desk',
    question: 'Keep it?',
    isClaimed: false,
    due: null,
    until: '2026-02-01T09:00:00.000Z',
  };
  const progress = newFileProgress({
    phase: 'Overdue',
    bookings: [newBooking()],
    waitingFor: [
      waitingFor({ code: 'Answer', params: asked, since: '2026-01-20T09:00:00.000Z', until: asked.until }),
      waitingFor({
        ...{ code: 'PickUp', role: 'issue', booking: 'loan', until: lateSince, isOverdue: true },
        params: { role: 'issue', until: lateSince, isOverdue: true },
      }),
    ],
  });
  const { where, next } = rowStateOf(progress);
  const row = { startedAt: null, phase: 'Overdue', summary: { where, next, until: null, clockAheadMs: 0 } };
  expect(next).toMatchObject({
    code: 'Answer',
    since: '2026-01-20T09:00:00.000Z',
    isForUs: true,
    isOverdue: true,
  });
  expect(dueOf(row, Date.parse('2026-01-21T09:00:00Z'))).toMatchObject({ kind: 'late', at: lateSince });
  const clockAheadMs = 16 * 86_400_000;
  const answer = { format: 1, flow: 'Loan', isOpen: true, actions: [], progress, clockAheadMs } as const;
  expect(
    entryOf({ workflowId: 'loan-1', flow: 'Loan', pickUpPoint: null } as FoundFlow, answer),
  ).toMatchObject([
    { title: 'Pick up: late', due: lateSince, why: `A deadline has passed at ${lateSince}.`, clockAheadMs },
  ]);
});

test('a question is held to when it is due, and says beside when it is given up', () => {
  const file = fileOf(`
name: Check
meaning: Asks the desk.
initial: asked
states:
  asked:
    invoke: { id: desk, src: ask, input: { of: desk, question: Is it back?, due: P1D, within: P7D }, onDone: over, onError: lost }
  lost: { title: Lost, type: final }
  over: { type: final }
`);
  const { progress } = new Player(file, { at: '2026-01-05T09:00:00Z' });
  const due = '2026-01-06T09:00:00.000Z';
  const summary = summaryOf(progress, 0);
  expect([summary.next?.until, summary.until]).toEqual([due, due]);
  const kindAt = (at: string) => dueOf({ startedAt: null, phase: 'Open', summary }, Date.parse(at)).kind;
  expect([kindAt('2026-01-05T10:00:00Z'), kindAt('2026-01-07T10:00:00Z')]).toEqual(['due', 'late']);
  const process = { flow: 'Check', status: 'Running', failure: null } as const;
  const nextAt = (at: string) =>
    overviewOf({
      ...{
        process: { ...process, trying: [] },
        progress,
        actionForms: [],
        chart: null,
        timers: [],
        parent: null,
      },
      clockAheadMs: Date.parse(at) - Date.now(),
    }).next;
  expect(nextAt('2026-01-05T10:00:00Z')).toEqual([
    {
      code: 'Answer',
      words:
        'Desk answers: “Is it back?” After 2026-01-12T09:00:00.000Z the case goes on to “Lost” without an answer.',
      until: due,
      isOverdue: false,
    },
  ]);
  expect(nextAt('2026-01-07T10:00:00Z')).toMatchObject([{ until: due, isOverdue: true }]);
});
