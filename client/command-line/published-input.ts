// The input of a published flow file: JSON, --set and --clock. The other options are for the bookings of built-in flows.
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { FlowFileStart } from '../flow-files/flow-file-handle.ts';
import { dashed, type StartOptions, setFields } from './start-input.ts';

const own: ReadonlySet<string> = new Set([
  'set',
  'input',
  'key',
  'wait',
  'dryRun',
  'clock',
  'each',
  'results',
  'perSecond',
]);

export function publishedInput(given: unknown, options: StartOptions, schema: JsonSchema): FlowFileStart {
  const foreign = Object.keys(options).filter((name) => !own.has(name));
  if (foreign.length > 0)
    throw wrongUse(
      `a published flow takes no ${foreign.map(dashed).join(', ')}; give its fields by --set request.<field>=<value>`,
    );
  const input = setFields(given, options.set ?? [], schema);
  return (options.clock === undefined ? input : { ...input, clock: options.clock }) as FlowFileStart;
}
