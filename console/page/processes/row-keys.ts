// The keys of the list: j and k go to the next row and to the one before, x ticks it. Enter follows its link, as everywhere.
import type { RefObject } from 'preact';
import { useShortcut } from '../parts/shortcut.ts';

export function useRowKeys(table: RefObject<HTMLTableElement | null>): void {
  const step = (by: 1 | -1) => {
    // A page may have several lists: the keys stay in the one that has the focus.
    const own =
      document.activeElement?.closest('table.processes') ?? document.querySelector('table.processes');
    if (own !== table.current) return;
    const all = [...(own?.querySelectorAll<HTMLElement>('tbody th a') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
    all[to]?.focus();
  };
  useShortcut('j', () => step(1));
  useShortcut('k', () => step(-1));
  useShortcut('x', () => {
    const row = document.activeElement?.closest('tr');
    if (row && table.current?.contains(row))
      row.querySelector<HTMLInputElement>('input[type=checkbox]:not(:disabled)')?.click();
  });
}
