// How `show` and `watch` write the progress of a process of a flow file.
import { expect, test } from 'vitest';
import { formatProgress } from '../../cli/format-progress.ts';
import { newBooking, newFileProgress } from '../support/progress.ts';

const shown = (state: unknown, waitingFor: readonly string[], titles?: readonly string[]): string[] =>
  formatProgress(
    newFileProgress({
      flow: 'Recall',
      version: 1,
      phase: 'Open',
      activity: 'Running',
      state,
      dropped: 0,
      halted: null,
      kept: [],
      waitingFor: waitingFor.map((words) => ({ words }) as never),
      ...(titles && { titles }),
    }),
  );

test('states within others are paths, with commas between those that are active together', () => {
  expect(shown({ deciding: 'second' }, [])).toContain('  in: deciding.second');
  expect(shown({ calling: { desk: 'asked', wall: { door: 'open' } }, report: {} }, [])).toContain(
    '  in: calling.desk.asked, calling.wall.door.open, report',
  );
});

test('the names that a file gives its states for people stand beside their own', () => {
  expect(shown({ lent: 'withUser' }, [], ['Lent', 'With the borrower'])).toContain(
    '  in: lent.withUser (Lent, With the borrower)',
  );
});

test('what it keeps in its context is shown, a long value in part', () => {
  const shownWith = (context: object) => formatProgress(newFileProgress({ context: context as never }));
  const lines = shownWith({ due: '2031-05-03', extensions: 1, asked: null, list: 'x'.repeat(200) });
  expect(lines).toEqual(
    expect.arrayContaining(['due         2031-05-03', 'extensions  1', 'asked       null']),
  );
  expect(lines).toContain(`list        ${'x'.repeat(100)}…`);
  expect(shownWith({}).some((line) => line.startsWith('data'))).toBe(false);
});

test('a version that is not known is not named', () => {
  expect(formatProgress(newFileProgress({ flow: 'Loan', version: 0 }))[0]).toMatch(/^Loan: /);
  expect(formatProgress(newFileProgress({ flow: 'Loan', version: 2 }))[0]).toMatch(/^Loan@2: /);
});

test('what a process waits for several times stands in one line', () => {
  const lines = shown('calling', ['bring: 4 of 40 done, 36 at work', ...Array(36).fill('BringBack')]);
  expect(lines.slice(2)).toEqual([
    '  waiting for: bring: 4 of 40 done, 36 at work',
    '  waiting for: BringBack (36 of them)',
  ]);
});

test('a decision is told by the verbs that make it, and a rule that is wrong without what the process says of its updates', () => {
  const decision = {
    kind: 'decision',
    code: 'LegsUnmatched',
    why: '1 shipments for 2 legs',
    words: '(`resolve`)',
  };
  const unmatched = formatProgress(newFileProgress({ waitingFor: [decision as never] }));
  expect(unmatched).toContain('  waiting for: a person: 1 shipments for 2 legs (adopt)');
  const details = { path: 'states.lent.on.back', expression: 'event.data.a', reason: 'No such key: a;' };
  const message = 'No such key: a; continue without the event (dropEvent)';
  const halted = formatProgress(
    newFileProgress({
      halted: { code: 'ExpressionFailed', message, event: 'back', details },
      waitingFor: [{ kind: 'decision', code: 'Halted', why: message, words: message } as never],
    }),
  );
  expect(halted).toContain(
    '  waiting for: a person: the step for back cannot be taken: states.lent.on.back: event.data.a: No such key: a (migrate, drop-event or give-up)',
  );
});

test('a deadline whose time has come is passed, or due where the process does not know it yet', () => {
  const until = '2031-05-01T12:00:00.000Z';
  const leftAt = (now: string, more: { passed?: boolean; ahead?: true } = {}) => {
    const deadline = { role: 'issue', stage: 'pickUp', until, passed: false, ...more } as const;
    const progress = newFileProgress({ bookings: [newBooking({ deadlines: [deadline] })] });
    return formatProgress(progress, new Date(now))
      .at(-1)
      ?.replace(/^issue\.pickUp +\S+ \S+ +/, '');
  };
  expect(leftAt('2031-05-01T11:58:30Z')).toBe('in 1 min 30 s');
  expect(leftAt('2031-05-01T11:59:59.500Z')).toBe('in 1 s');
  expect(leftAt(until)).toBe('due; the process has not noticed it yet');
  expect(leftAt('2031-05-02T12:00:00Z', { passed: true })).toBe('passed');
  expect(leftAt('2031-05-02T12:00:00Z', { ahead: true })).toBe('passed; holds once pickUp begins');
});
