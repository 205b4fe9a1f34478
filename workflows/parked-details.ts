// What the Web UI shows of callbacks without a flow.
import type { Parked } from '../contract/flows/parked-callback.ts';
import { code } from '../shared/markdown/shown-as-text.ts';
import { isReport } from './kept-callbacks.ts';

// The pane of the Web UI shows few lines.
const MAX_ROWS = 20;

export function parkedDetails({ input, kept, givenUp }: Parked): string {
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
    `**Parked: no flow waits for shipment ${code(input.shipmentUid)}.** Give it to one: \`npx lockerflow parked claim\`.`,
    '',
    ...lost,
    '| state | since | received | times |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
