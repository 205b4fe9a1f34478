// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Locks and rate limits without Temporal: the rules of their queue, what a file may say of them, and how stories play them.
import { describe, expect, test } from 'vitest';
import type { PermitRequest } from '../../../contract/flows/correlation.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { MAX_WAITING, PermitQueue } from '../../../flows/language/permits.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { Player } from '../../../flows/language/simulation/player.ts';

const process = (name: string) => ({ workflowId: name, firstRunId: `run of ${name}` });
const asked = (more: Partial<PermitRequest> = {}): PermitRequest => ({
  src: 'lock',
  key: 'printer',
  invoke: 'printer',
  id: '1-a',
  limit: 1,
  ...more,
});
const names = (given: readonly { readonly process: { readonly workflowId: string } }[]) =>
  given.map((each) => each.process.workflowId);

describe('a lock', () => {
  test('is given in the order in which it was asked for, to one at a time', () => {
    const queue = new PermitQueue('lock');
    for (const name of ['anna', 'ben', 'cleo']) queue.request(process(name), asked(), 0);
    expect(names(queue.next(1))).toEqual(['anna']);
    expect(queue.next(2)).toEqual([]);
    queue.release(process('ben'), '1-a');
    queue.release(process('anna'), '1-a');
    expect(names(queue.next(3))).toEqual(['cleo']);
    queue.release(process('cleo'), '1-a');
    expect(queue.isOver).toBe(true);
  });

  test('is held by no more processes than any of them allows', () => {
    const queue = new PermitQueue('lock');
    for (const [name, limit] of [
      ['anna', 3],
      ['ben', 2],
      ['cleo', 3],
      ['dora', 1],
    ] as const)
      queue.request(process(name), asked({ limit }), 0);
    expect(names(queue.next(0))).toEqual(['anna', 'ben']);
    queue.release(process('ben'), '1-a');
    expect(names(queue.next(0))).toEqual(['cleo']);
    queue.release(process('anna'), '1-a');
    expect(queue.next(0)).toEqual([]);
    queue.release(process('cleo'), '1-a');
    expect(names(queue.next(0))).toEqual(['dora']);
  });

  test('that is asked for twice with one id is given once, and with another id anew', () => {
    const queue = new PermitQueue('lock');
    queue.request(process('anna'), asked(), 0);
    queue.request(process('anna'), asked(), 0);
    expect(queue.next(0)).toHaveLength(1);
    queue.request(process('anna'), asked(), 1);
    expect(queue.view.waitingCount).toBe(0);
    // The process was reset, and its invoke has begun again.
    queue.request(process('anna'), asked({ id: '1-b' }), 2);
    expect(queue.next(2).map(({ id }) => id)).toEqual(['1-b']);
  });

  test('is looked after while others wait: soon at first, then less and less often', () => {
    const queue = new PermitQueue('lock');
    queue.request(process('anna'), asked(), 0);
    queue.next(0);
    expect(queue.dueAt).toBeUndefined();
    queue.request(process('ben'), asked(), 1_000);
    expect(queue.isLookDue(4_999)).toBe(false);
    const looks: number[] = [];
    for (let due = queue.dueAt; due !== undefined && looks.length < 6; due = queue.dueAt) {
      expect(queue.isLookDue(due)).toBe(true);
      looks.push(due / 1_000);
      queue.looked(due);
    }
    expect(looks).toEqual([5, 15, 35, 75, 135, 195]);
    queue.gone(process('anna'));
    expect(names(queue.next(200_000))).toEqual(['ben']);
  });

  test('refuses whoever comes when thousands wait', () => {
    const queue = new PermitQueue('lock');
    for (let each = 0; each < MAX_WAITING; each++)
      expect(queue.request(process(`p-${each}`), asked(), 0)).toBe(true);
    expect(queue.request(process('one more'), asked(), 0)).toBe(false);
  });
});

describe('a rate limit', () => {
  const mails = (more: Partial<PermitRequest> = {}) =>
    asked({ src: 'rate', key: 'mails', invoke: 'pace', limit: 3, perMs: 60_000, ...more });

  test('gives no more than its limit within any period', () => {
    const queue = new PermitQueue('rate');
    const given: number[] = [];
    let now = 0;
    for (let each = 0; each < 40; each++) queue.request(process(`p-${each}`), mails(), now);
    while (given.length < 40) {
      for (const _ of queue.next(now)) given.push(now);
      queue.tidy(now);
      now = Math.max(queue.dueAt ?? now, now + 7_000 * (given.length % 3));
    }
    for (const [index, at] of given.entries())
      expect(at - (given[index - 3] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000);
    now += 60_000;
    queue.tidy(now);
    expect(queue.isOver).toBe(true);
  });

  test('counts none for a process that has ended before its turn', () => {
    const queue = new PermitQueue('rate');
    for (const name of ['anna', 'ben']) queue.request(process(name), mails({ limit: 1 }), 0);
    expect(names(queue.next(0))).toEqual(['anna']);
    queue.gone(process('anna'));
    expect(names(queue.next(0))).toEqual(['ben']);
  });
});

const NAMES = { builtIn: [], published: [], connectors: null };

function read(text: string) {
  const { file, findings } = readFlowFile(text, NAMES);
  return { file: file as FlowFile, findings: findings.map(({ code, path }) => `${code} ${path}`) };
}

const printing = (states: string, input = '{ key: "printer ${input.desk}" }') => `
name: Printing
meaning: Prints a label.
input: { type: object, required: [desk], properties: { desk: { type: string } } }
initial: printing
states:
  printing:
    invoke: { id: printer, src: lock, input: ${input} }
    initial: waiting
    on: { printing.over: over }
    states:
${states}
  over: { id: over, type: final }
`;
const SOUND = `
      waiting: { on: { printer.acquired: working } }
      working: { after: { PT1M: "#over" } }`;
const file = (text = printing(SOUND)) => read(text);

describe('a file', () => {
  test('with a lock is clean: waiting for a turn ends when the turns before end', () => {
    const { file: sound, findings } = file();
    expect(findings).toEqual([]);
    expect(lintFindings(sound)).toEqual([]);
  });

  test.each([
    ['{}', ['FieldMissing states.printing.invoke.input']],
    [
      '{ key: "", slots: 0 }',
      ['ValueWrong states.printing.invoke.input.key', 'ValueWrong states.printing.invoke.input.slots'],
    ],
    ['{ key: a, per: PT1M }', ['FieldUnknown states.printing.invoke.input.per']],
  ])('that asks for a lock with %s is refused', (input, expected) => {
    expect(file(printing(SOUND, input)).findings).toEqual(expected);
  });

  test('that goes on without its turn is found, and so is a lock within a lock', () => {
    const unheard = file(printing('      waiting: { after: { PT1M: "#over" } }'));
    expect(lintFindings(unheard.file).map(({ code }) => code)).toEqual(['LockUnheard']);
    const second = (after: string) =>
      file(
        printing(`
      waiting: { on: { printer.acquired: working } }
      working:
        invoke: { id: scale, src: lock, input: { key: scale } }
        initial: waiting
        states:
          waiting: { on: { scale.acquired: weighing }${after} }
          weighing: { after: { PT1M: "#over" } }`),
      );
    expect(lintFindings(second('').file).map(({ code }) => code)).toEqual(['LocksWithinEachOther']);
    expect(lintFindings(second(', after: { PT5M: "#over" }').file)).toEqual([]);
  });

  test('may not use a lock for the items of an each, and may not try it again', () => {
    expect(
      read(`
name: A
meaning: A.
initial: a
states:
  a:
    invoke:
      - { id: one, src: each, input: { of: [1], do: { src: lock, input: { key: a } } }, onDone: b }
      - { id: two, src: rate, input: { key: a, most: 0, per: PT0.5S }, within: PT1M }
  b: { type: final }
`).findings,
    ).toEqual([
      'ValueWrong states.a.invoke.0.input.do.src',
      'ValueWrong states.a.invoke.1.input.most',
      'ValueWrong states.a.invoke.1.input.per',
      'FieldsConflict states.a.invoke.1.within',
    ]);
  });
});

describe('a played process', () => {
  test('waits for its turn, holds the lock until the state is left, and says what it holds', () => {
    const player = new Player(file().file, { input: { desk: 'north' } });
    expect(player.states).toEqual(['printing.waiting']);
    expect(player.progress.permits).toEqual([
      { id: 'printer', src: 'lock', key: 'printer north', limit: 1, since: player.now, heldSince: null },
    ]);
    expect(player.progress.awaits.map(({ words }) => words)).toContain('its turn at the lock printer');
    expect(() => player.done('printer')).toThrow('give it with the event printer.acquired');
    player.send('printer.acquired');
    expect([player.states, player.held]).toEqual([['printing.working'], ['printer']]);
    expect(() => player.send('printer.acquired')).toThrow();
    player.pass('PT1M');
    expect([player.status, player.held]).toEqual(['done', []]);
  });

  test('keeps the lock while it tidies up after a cancellation', () => {
    const { file: tidy } = file(
      printing(`
      waiting: { on: { printer.acquired: working } }
      working: { on: { cancelRequested: tidying } }
      tidying: { after: { PT1M: "#over" } }`),
    );
    const player = new Player(tidy, { input: { desk: 'north' } });
    player.send('printer.acquired');
    player.cancel();
    expect([player.states, player.held]).toEqual([['printing.tidying'], ['printer']]);
    player.pass('PT1M');
    expect([player.status, player.held]).toEqual(['cancelled', []]);
  });

  test('keeps its lock through a migration, by the key that it began with and under the new name', () => {
    const player = new Player(file().file, { input: { desk: 'north' } });
    player.send('printer.acquired');
    const renamed = printing(SOUND, '{ key: "press ${input.desk}" }')
      .replaceAll('printer.acquired', 'press.acquired')
      .replace('id: printer,', 'id: press, was: printer,');
    player.migrate({ file: read(renamed).file, version: 2 });
    expect(player.held).toEqual(['press']);
    expect(player.progress.permits).toMatchObject([{ id: 'press', key: 'printer north' }]);
    player.pass('PT1M');
    expect(player.held).toEqual([]);
  });

  test('takes acquired from its lock alone', () => {
    const player = new Player(file().file, { input: { desk: 'north' } });
    expect(player.progress.events).not.toContain('printer.acquired');
    expect(player.progress.childEvents).toContain('printer.acquired');
  });

  test('stands still where the key is none', () => {
    const { file: wrong } = file(printing(SOUND, '{ key: "${input.desk}" }'));
    expect(() => new Player(wrong, { input: { desk: '' } })).toThrow(/states.printing.invoke.input.key/);
  });
});
