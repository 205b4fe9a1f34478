// What the Web UI shows of callbacks without a flow.
import type { Unmatched } from '../contract/flows/unmatched-callback.ts';
import { code } from '../shared/markdown/shown-as-text.ts';
import { isReport } from './kept-callbacks.ts';

// The pane of the Web UI shows few lines.
const MAX_ROWS = 20;

export function unmatchedDetails({ input, kept, givenUp }: Unmatched): string {
  const lost = givenUp > 0 ? [`**${givenUp} older ones were given up.**`, ''] : [];
  if (input.kind === 'message')
    return [
      `**${kept.length} messages of type ${code(input.messageType)}**, which lockerflow does not know.`,
      '',
      ...lost,
    ].join('\n');
  const rows = kept
    .slice(-MAX_ROWS)
    .flatMap(({ callback, times }) =>
      isReport(callback)
        ? [
            `| ${code(callback.stateCode)} | ${code(callback.stateStart ?? '')} | ${callback.receivedAt} | ${times} |`,
          ]
        : [],
    );
  return [
    `**Unmatched: no flow waits for shipment ${code(input.shipmentUid)}.** Give it to one: \`npx lockerflow unmatched claim\`.`,
    '',
    ...lost,
    '| state | since | received | times |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
