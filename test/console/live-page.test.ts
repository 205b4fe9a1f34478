// How a page keeps itself up to date: it asks again, for all who show the same, while somebody sees it.
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';

/** Named by a text: its types are those of a browser, which these tests have not. */
const shell = join(import.meta.dirname, '../../console/page/shell');

interface Live {
  follow(path: string, hear: () => void): () => void;
}
interface Api {
  postJson(path: string): Promise<unknown>;
}

const asked: string[] = [];
let view: EventTarget & { hidden: boolean };
const hear = vi.fn();
let status = 200;
let body: unknown;

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  view = Object.assign(new EventTarget(), { hidden: false });
  const all = new EventTarget();
  hear.mockClear();
  status = 200;
  body = 'closed';
  vi.stubGlobal('window', { setTimeout, clearTimeout });
  vi.stubGlobal('document', view);
  vi.stubGlobal('addEventListener', all.addEventListener.bind(all));
  vi.stubGlobal('dispatchEvent', all.dispatchEvent.bind(all));
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return { ok: status === 200, status, json: async () => body };
  });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

let evaluations = 0;
/** Evaluated anew: what it follows is its own. */
const live = async () => (await import(`${join(shell, 'live.ts')}?${++evaluations}`)) as Live;

test('all that show the same share one question, which is asked again, and hear only of what is new', async () => {
  const { follow } = await live();
  const other = vi.fn();
  const ends = [follow('/doors', hear), follow('/doors', other)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['/doors']);
  expect(hear).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toHaveLength(3);
  expect(hear).toHaveBeenCalledTimes(1);
  body = 'open';
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hear).toHaveBeenCalledTimes(2);
  expect(other).toHaveBeenCalledTimes(2);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(4);
});

test('a view that shows what the one before it showed asks nothing anew', async () => {
  const { follow } = await live();
  follow('/doors', hear)();
  follow('/doors', hear);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(1);
});

test('it asks at once after an action of its own, and when it is seen again; not while it is not seen', async () => {
  const { follow } = await live();
  const { postJson } = (await import(join(shell, '../api.ts'))) as Api;
  follow('/doors', hear);
  await vi.advanceTimersByTimeAsync(100);
  await postJson('/open');
  expect(asked).toEqual(['/doors', '/open', '/doors']);
  view.hidden = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(3);
  view.hidden = false;
  view.dispatchEvent(new Event('visibilitychange'));
  expect(asked).toHaveLength(4);
});

test('where it cannot be read it is asked more seldom', async () => {
  status = 503;
  body = { code: 'Unreachable', detail: 'Temporal is away' };
  const { follow } = await live();
  follow('/doors', hear);
  await vi.advanceTimersByTimeAsync(10_500);
  expect(asked).toHaveLength(3);
  expect(hear).toHaveBeenCalledTimes(1);
});
