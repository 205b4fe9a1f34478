// A span for each statement that is sent within a span. Its text has no values: those are parameters.
import { SpanStatusCode } from '@opentelemetry/api';
import type { LogEvent } from 'kysely';
import { isRecording, startedSpan } from '../../shared/telemetry/spans.ts';

/** Characters of a statement: its beginning tells which one it is. */
const TEXT = 500;

/** For Kysely's `log`, which is called when the statement has ended. */
export const sqlSpan = ({ level, query, queryDurationMillis }: LogEvent): void =>
  statementSpan(query.sql, queryDurationMillis, { failed: level === 'error' });

/** The span of a statement that has just ended. */
export function statementSpan(statement: string, milliseconds: number, { failed = false } = {}): void {
  // What is polled belongs to no trace.
  if (!isRecording()) return;
  const text = statement.trim().replaceAll(/\s+/g, ' ');
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT) };
  const span = startedSpan(
    `SQL ${text.split(' ', 1)[0]?.toLowerCase()}`,
    { kind: 'client', attributes },
    undefined,
    Date.now() - milliseconds,
  );
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
