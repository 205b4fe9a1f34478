// A trace as a picture: a line for each span, below the one that caused it.
import type { CollectedSpan } from './collector.ts';

const ROW = 20;
const NAMES = 420;
const WIDTH = 1_100;
const MARGIN = 12;

const colours: Readonly<Record<string, string>> = {
  'lockerflow-caller': '#6b7280',
  'lockerflow-worker': '#2563eb',
  'lockerflow-service': '#059669',
  'lockerflow-receiver': '#d97706',
};

export function picture(spans: readonly CollectedSpan[]): string {
  const rows = inOrder(spans);
  const from = Math.min(...spans.map(({ start }) => start));
  const until = Math.max(...spans.map(({ end }) => end));
  const x = (time: number) => NAMES + ((time - from) / (until - from)) * (WIDTH - NAMES - 90);
  const height = (rows.length + 2) * ROW + 2 * MARGIN;
  const legend = Object.entries(colours).map(
    ([name, colour], index) =>
      `<rect x="${MARGIN + index * 180}" y="${MARGIN}" width="12" height="12" fill="${colour}"/>` +
      text(MARGIN + index * 180 + 18, MARGIN + 11, name.replace('lockerflow-', '')),
  );
  const lines = rows.flatMap(({ span, depth }, index) => {
    const y = MARGIN + (index + 2) * ROW;
    const width = Math.max(2, x(span.end) - x(span.start));
    return [
      text(MARGIN + depth * 12, y + 12, span.name),
      `<rect x="${x(span.start).toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="12" rx="2" fill="${colours[span.process] ?? '#000'}"/>`,
      text(x(span.start) + width + 4, y + 12, `${(span.end - span.start).toFixed(1)} ms`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>The spans of a loan, below each other</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...legend,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

const text = (x: number, y: number, words: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="#111">${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;

/** Each below its parent, by its start. Of statements in a row only the first ones. */
function inOrder(spans: readonly CollectedSpan[]): { span: CollectedSpan; depth: number }[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (id: string | undefined) =>
    spans
      .filter(({ parentSpanId }) => (id === undefined ? !ids.has(parentSpanId ?? '') : parentSpanId === id))
      .sort((one, other) => one.start - other.start);
  const rows: { span: CollectedSpan; depth: number }[] = [];
  const add = (span: CollectedSpan, depth: number) => {
    rows.push({ span, depth });
    for (const child of below(span.spanId)) add(child, depth + 1);
  };
  for (const span of below(undefined)) add(span, 0);
  return rows;
}
