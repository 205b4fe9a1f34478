// What a list says that it has found: cases, in the unit of its tab, and with their parts.
import { expect, test } from 'vitest';
import { countCases, formatFound } from '../../../console/page/processes/format-found.ts';
import type { ProcessPage, ProcessRow } from '../../../console/processes/processes-view.ts';

const row = (key: string, parent: string | null = null) =>
  ({ key, parent, phase: 'Open', summary: null }) as ProcessRow;
const items = [row('a'), row('a/loan', 'a'), row('b')];
const page = (more: Partial<ProcessPage> = {}): ProcessPage =>
  ({ items, count: 3, next: null, sorted: 'newest', ...more }) as ProcessPage;
const found = (given: ProcessPage, all?: number, wanted = '') =>
  formatFound(given, new URLSearchParams(wanted), all).replace(', the newest first', '');

test('a list that is whole says its cases, and how many they are with their parts', () => {
  expect(found(page(), 2)).toBe('2 cases, 3 with their parts');
  expect(found(page({ items: [row('a')], count: 1 }), 1)).toBe('1 case');
});

test('one page of several says as many cases as the tab, and its own', () => {
  expect(found(page({ count: 51, next: 'more' }), 45)).toBe('45 cases, 51 with their parts, 2 on this page');
  expect(found(page({ count: 51 }), 45, 'cursor=more')).toBe('45 cases, 51 with their parts, 2 on this page');
  // Where a search is narrowed by more than the tabs, nobody has counted its cases.
  expect(found(page({ count: 51, next: 'more' }))).toBe('51 with their parts, 2 cases on this page');
});

test('a heading counts the rows below it', () => {
  expect(countCases(page())).toBe('2');
  expect(countCases(page({ next: 'more' }))).toBe('2+');
});
