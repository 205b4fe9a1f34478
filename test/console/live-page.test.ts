// The stream of a page: what a view follows that takes the place of another one, which followed the same.
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';

/** Named by a text: its types are those of a browser, which these tests have not. */
const live = join(import.meta.dirname, '../../console/page/shell/live.ts');

interface Live {
  follow(path: string, hear: () => void): () => void;
  lastOf(path: string): { readonly data?: unknown } | undefined;
}

class Stream {
  static readonly opened: Stream[] = [];
  readonly #listeners = new Map<string, (event: unknown) => void>();
  readonly address: string;

  constructor(address: string) {
    this.address = address;
    Stream.opened.push(this);
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {}

  send(of: string, data: unknown): void {
    this.#listeners.get('message')?.({ data: JSON.stringify({ of, data }) });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  Stream.opened.length = 0;
  vi.stubGlobal('window', { setTimeout, clearTimeout });
  vi.stubGlobal('EventSource', Stream);
  vi.resetModules();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test('a view that follows what the one before it followed has its data at once, by the same stream', async () => {
  const { follow, lastOf } = (await import(live)) as Live;
  const end = follow('/doors', () => undefined);
  vi.advanceTimersByTime(1);
  Stream.opened[0]?.send('/doors', 'closed');
  end();
  follow('/doors', () => undefined);
  vi.advanceTimersByTime(1);
  expect(Stream.opened.map(({ address }) => address)).toEqual(['/v1/stream?of=%2Fdoors']);
  expect(lastOf('/doors')).toEqual({ data: 'closed' });
});

test('what nobody has followed for a while is forgotten, and comes anew', async () => {
  const { follow, lastOf } = (await import(live)) as Live;
  const end = follow('/doors', () => undefined);
  follow('/list', () => undefined);
  vi.advanceTimersByTime(1);
  Stream.opened[0]?.send('/doors', 'closed');
  end();
  vi.advanceTimersByTime(1);
  expect(lastOf('/doors')).toBeUndefined();
  follow('/doors', () => undefined);
  vi.advanceTimersByTime(1);
  expect(Stream.opened.map(({ address }) => address)).toEqual([
    '/v1/stream?of=%2Fdoors&of=%2Flist',
    '/v1/stream?of=%2Flist',
    '/v1/stream?of=%2Fdoors&of=%2Flist',
  ]);
});
