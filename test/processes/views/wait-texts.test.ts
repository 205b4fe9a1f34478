// What a process waits for, in the reader's language, wherever we show it: each row of a list, the page and Work.
import { describe, expect, test } from 'vitest';
import { overviewOf } from '../../../console/process/overview/overview.ts';
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { type WaitParams, waitCodes } from '../../../contract/flows/wait-codes.ts';
import { waitingFor } from '../../../flows/language/waiting-for.ts';
import { textsOf } from '../../../processes/inbox/decision-texts.ts';
import { formatDecision, formatWaitingFor } from '../../../processes/views/wait-texts.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';

const ISSUE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const leg = { stateStart: null, pupUid: null, lockerName: null, done: false };
const booking = newBooking({
  shipments: { issue: { ...leg, shipmentUid: ISSUE, stateCode: 'Completed' } },
});
const ofLeg = { role: 'issue', until: null, isOverdue: false } as const;

const params: WaitParams = {
  Booking: {},
  FreeLocker: {},
  Undoing: {},
  BookingUnknown: {},
  NotUndone: { failures: { [ISSUE]: 'Unauthorized' }, shipments: 1 },
  Contradiction: { shipmentUid: ISSUE, reported: 'Registered', last: 'Completed' },
  LegsUnmatched: { shipments: 3, legs: 2 },
  LegsIndistinct: { states: { [OTHER]: 'ReadyForPickup' } },
  Halted: { event: 'the end of check.1', message: 'te groot', cause: 'actorDone', actor: 'check.1' },
  DropOff: ofLeg,
  Receiver: ofLeg,
  PickUp: ofLeg,
  Report: ofLeg,
  Cancellation: { ...ofLeg, lastPickedUpAt: '2031-05-01T12:00:00.000Z' },
  Begin: ofLeg,
  BeginAfterDropOff: { ...ofLeg, follows: 'intake' },
  BeginAfterPickUp: { ...ofLeg, follows: 'intake' },
  Answer: { of: 'balie', question: 'Goed?', isClaimed: false, due: null, until: null },
  Batch: { id: 'all', items: 6, done: 1, failed: 0, open: 2 },
  Flow: { type: 'Intake' },
  Call: { type: 'callConnector', id: 'betaling.0', itemTitle: 'laptop-1' },
  Overdue: { state: 'terug', since: null },
  Time: { timer: 'P3D', until: '2031-05-01T12:00:00.000Z' },
  Event: { events: ['terug', 'kwijt'] },
  Definition: {},
};

const waits = waitCodes.map((code) => waitingFor({ code, params: params[code] } as never));
const progressWith = (given: Partial<ProcessProgress>): ProcessProgress =>
  newFileProgress({
    bookings: [booking],
    batches: [{ id: 'all', type: 'Intake', items: 6, next: 3, open: [1, 2], failed: [], left: [] }],
    ...given,
  });
const decisions = progressWith({
  phase: 'NeedsPerson',
  waitingFor: waits.filter(({ kind }) => kind === 'decision'),
});

test('a reader of Dutch reads each of them in Dutch', () => {
  const texts = inLocale('nl', () =>
    waits.map((each) => [each.code, formatWaitingFor(each, progressWith({}))] as const),
  );
  expect(Object.fromEntries(texts)).toEqual({
    Booking: 'Er wordt geboekt',
    FreeLocker: 'Er komt een vak vrij, en dat wordt geboekt',
    Undoing: 'Wat was geboekt, wordt teruggedraaid',
    BookingUnknown: 'Iemand beslist: het is niet bekend of er is geboekt',
    NotUndone: 'Iemand beslist: niet alles kon worden teruggedraaid: de levering (Unauthorized)',
    Contradiction: 'Iemand beslist: de levering is gemeld als “vooraf geboekt” na “klaar”',
    LegsUnmatched: 'Iemand beslist: 3 zendingen in plaats van 2',
    LegsIndistinct:
      'Iemand beslist: de meldingen laten niet zien welke zending welke is, dus het kan klaar zijn of niet: de zending … (“op te halen”)',
    Halted: 'Iemand beslist: het is gestopt bij het einde van “check” voor nummer 2: te groot',
    DropOff: 'De balie legt het artikel in het vak',
    Receiver: 'Iemand zegt wie het artikel ontvangt',
    PickUp: 'De ontvanger haalt het artikel uit het vak',
    Report: 'De kluisdienst meldt de levering',
    Cancellation:
      'Levering wordt geannuleerd: tot dan blijft het vak geboekt; voor het laatst opgehaald om 2031-05-01T12:00:00.000Z',
    Begin: 'Levering begint',
    BeginAfterDropOff: 'Levering begint zodra de inname is ingelegd',
    BeginAfterPickUp: 'Levering begint zodra de inname is opgehaald',
    Answer: 'Balie antwoordt: “Goed?”',
    Batch: '1 van 6 terug: 2 onderweg, 3 niet begonnen',
    Flow: '“Inname” loopt af',
    Call: 'Het antwoord op “betaling” voor laptop-1 komt',
    Overdue: 'Terug is te laat',
    Time: 'De tijd is voorbij',
    Event: 'Het hoort van “terug” of “kwijt”',
    Definition: 'Het begint',
  });
});

describe('a decision, for a reader of Dutch', () => {
  const ofEach = (code: string) =>
    progressWith({ waitingFor: decisions.waitingFor.filter((each) => each.code === code) });

  test('says in Work what is wrong', () => {
    const why = (code: string) => inLocale('nl', () => textsOf(ofEach(code)).why);
    expect(why('Contradiction')).toBe('De levering is gemeld als “vooraf geboekt” na “klaar”.');
    expect(why('NotUndone')).toBe(
      'De zaak is geannuleerd, en niet alles kon worden teruggedraaid: de levering (Unauthorized).',
    );
    // Whoever decides which is which needs its uid.
    expect(why('LegsIndistinct')).toContain(`de zending ${OTHER} (“op te halen”)`);
    expect(why('Halted')).toBe('Het is gestopt bij het einde van “check” voor nummer 2: te groot.');
  });

  test('says on its page what is wrong', () => {
    const { wrong } = inLocale('nl', () =>
      overviewOf({
        process: { flow: 'Loan', status: 'Running', failure: null, trying: [] },
        progress: decisions,
        actionForms: [],
        chart: null,
        timers: [],
        parent: null,
      }),
    );
    expect(wrong).toEqual([
      'Het is niet bekend of er is geboekt.',
      'Niet alles kon worden teruggedraaid: de levering (Unauthorized).',
      'De levering is gemeld als “vooraf geboekt” na “klaar”.',
      '3 zendingen in plaats van 2.',
      expect.stringMatching(/^De meldingen laten niet zien welke zending welke is/),
    ]);
  });
});

test('what this release does not know, or a worker does not say, is told by the words of the process', () => {
  const [first] = waits;
  const later = { ...first, code: 'Later', kind: 'decision', why: 'something new' } as never;
  expect(formatDecision(later, progressWith({}))).toBe('something new');
  const batch = waitingFor({ code: 'Batch', params: params.Batch });
  expect(formatWaitingFor(batch, newFileProgress())).toBe('all: 1 of 6 done, 0 failed, 2 at work');
  const earlier = waitingFor({ code: 'Halted', params: { event: 'the end of a wait', message: 'wrong' } });
  expect(formatDecision(earlier, progressWith({}))).toBe('it has stopped at “the end of a wait”: wrong');
});
