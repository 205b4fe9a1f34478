// Says of a body that is no JSON where it is wrong. It is read as Fastify reads it, which keeps the reason to itself.
import type { FastifyInstance } from 'fastify';
import { shortened } from '../contract/wire/format-issue.ts';
import { ConsoleRefusal } from './refusal.ts';

const JSON_TYPE = 'application/json';

/** V8 names a position, or some 20 characters around the wrong one: a body may be secret, and 1 MB. */
const LONGEST_REASON = 120;

export function readJsonBodies(app: FastifyInstance): void {
  const read = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(JSON_TYPE);
  app.addContentTypeParser<string>(JSON_TYPE, { parseAs: 'string' }, (request, body, done) =>
    read(request, body, (error, value) => {
      const reason = error && body !== '' ? reasonFor(body) : null;
      done(
        reason ? new ConsoleRefusal(400, 'InvalidRequest', `The body is not JSON: ${reason}.`) : error,
        value,
      );
    }),
  );
}

/** Null: it is JSON, and is refused for something else. */
function reasonFor(body: string): string | null {
  try {
    JSON.parse(body.replace(/^\uFEFF/, ''));
    return null;
  } catch (error) {
    return shortened((error as SyntaxError).message, LONGEST_REASON).toWellFormed();
  }
}
