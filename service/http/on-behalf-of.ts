// X-On-Behalf-Of (assumptions: The wire): the person whom an API client names as the one for whom it acts. It is a claim of that
// client, for its tenant's audit log alone: it gives no right, and nothing is decided by it.
import type { IncomingMessage } from 'node:http';
import { nameInOnBehalfOf, ON_BEHALF_OF_HEADER } from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';

/** Null without the header. */
export function onBehalfOfIn(request: IncomingMessage): string | null {
  if (request.headers[ON_BEHALF_OF_HEADER] === undefined) return null;
  const [text = '', ...others] = request.headersDistinct[ON_BEHALF_OF_HEADER] ?? [];
  const name = others.length === 0 ? nameInOnBehalfOf(text) : undefined;
  if (name !== undefined) return name;
  throw new Refusal(
    'InvalidRequest',
    'X-On-Behalf-Of: send it once, with a name of 1 to 100 characters, none of them a control or invisible, percent-encoded as UTF-8',
  );
}
