// What a list has found, in one line: in cases, as its tab counts them, and with their parts where they have any.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessPage } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { caseRows } from './case-rows.ts';

type Found = Pick<ProcessPage, 'items' | 'count' | 'next' | 'sorted'>;

/** @param all the cases that are found; undefined: only those of the page are known */
export function formatFound(page: Found, wanted: URLSearchParams, all: number | undefined): string {
  const { items, count, next, sorted } = page;
  if (count === 0)
    return wanted.size === 0 ? t`No case is open.` : t`No case is found. Change or clear the search.`;
  const cases = caseRows(items).length;
  const isPart = next !== null || wanted.has('cursor');
  const found = all === undefined ? withParts(count) : formatCases(all, count);
  const onPage = all === undefined ? formatCases(cases, cases) : inFigures(cases);
  const words = isPart ? t`${found}, ${onPage} on this page` : formatCases(cases, count);
  return `${words}, ${orderTexts[sorted]}`;
}

const orderTexts: Readonly<Record<ProcessPage['sorted'], string>> = {
  due: t`what is late first, then what waits for us, then by due`,
  waiting: t`what waits longest first`,
  newest: t`the newest first`,
};

const withParts = (count: number): string => t`${inFigures(count)} with their parts`;

/** What a case has started is no case of its own, and chosen with it all the same. */
function formatCases(cases: number, count: number): string {
  const words = formatCaseCount(cases);
  return cases === count ? words : `${words}, ${withParts(count)}`;
}

/** Like "1 case" or "1,200 cases". */
export const formatCaseCount = (count: number): string =>
  count === 1 ? t`1 case` : t`${inFigures(count)} cases`;

/** A page that is not the whole has at least so many. */
export const countCases = ({ items, next }: Pick<Found, 'items' | 'next'>): string =>
  `${inFigures(caseRows(items).length)}${next === null ? '' : '+'}`;
