// Checks what a file gives to a built-in flow: the fields, and the deadlines that the flow knows.
import { declarations } from '../../built-in/flows.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import type { At } from './finding.ts';
import { isMap, type Report } from './report.ts';

const inputOfFlows = ['request', 'deadlines', 'onOverdue', 'waitForLocker', 'tell'] as const;

export function checkFlowInput(flow: string, input: Json | undefined, at: At, report: Report): void {
  if (typeof input === 'string') return; // An expression gives the whole input.
  if (!isMap(input)) {
    report.find('FieldMissing', at.slice(0, -1), 'input', `a map of ${inputOfFlows.join(', ')}`);
    return;
  }
  for (const key of Object.keys(input))
    if (!inputOfFlows.some((each) => each === key))
      report.findUnknown('FieldUnknown', [...at, key], key, inputOfFlows);
  if (input.request === undefined) report.find('FieldMissing', at, 'request');
  if (isMap(input.deadlines)) checkDeadlines(flow, input.deadlines, [...at, 'deadlines'], report);
}

function checkDeadlines(flow: string, deadlines: JsonObject, at: At, report: Report): void {
  const declared = declarations.find(({ name }) => name === flow);
  const known = Object.entries(declared?.legs ?? {}).flatMap(([role, leg]) =>
    leg.deadlines.map((stage) => `${role}.${stage}`),
  );
  const given = Object.entries(deadlines).flatMap(([role, stages]) =>
    isMap(stages) ? Object.keys(stages).map((stage) => [role, stage]) : [],
  );
  for (const pair of given)
    if (!known.includes(pair.join('.')))
      report.find('ValueWrong', [...at, ...pair], pair.join('.'), `one of ${known.join(', ')}`);
}
