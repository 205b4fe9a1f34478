// One HTTP call of a flow file through a connector. What changes something at the other side follows the rule of the unknown
// outcome (architecture: Unknown outcome): it is repeated only where the other side honours its Idempotency-Key.
import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { Budget } from '../../flows/language/expressions/cost.ts';
import { ExpressionFailure } from '../../flows/language/expressions/failure.ts';
import { answerEnvironment } from '../../flows/language/expressions/language.ts';
import { template } from '../../flows/language/expressions/template.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import type { HttpAnswer } from '../../shared/locker-api/http-exchange.ts';
import { LONG_SECRET_LENGTH, Redaction } from '../../shared/locker-api/redaction.ts';
import type { Connector } from '../../shared/settings/connectors.ts';
import { ActivityHeartbeat } from '../activity-heartbeat.ts';
import { doubtful, isAfterDoubtfulAttempt, isAfterLostAttempt, recordNoEffect } from '../failures.ts';
import type { ConnectorCall } from '../flow-file-activities.ts';
import { headerKey } from '../header-key.ts';
import type { Connectors } from './connectors.ts';
import { ConnectorError } from './exchange.ts';
import { isAllowed, parametersOf, partsOfPath, urlBelow } from './request-url.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** By HTTP itself, twice is as good as once (RFC 9110 section 9.2.2); of a DELETE the second answer would tell another story. */
const repeatable: readonly Method[] = ['GET', 'PUT'];

export async function callConnector(connectors: Connectors, call: ConnectorCall): Promise<Json> {
  const connector = connectorNamed(connectors, call.connector);
  const request = requestOf(connector, call);
  const repeats = isRepeated(connector, request.method);
  if (!repeats && isAfterLostAttempt()) throw outcomeUnknown(connector, 'the worker that sent it has died');
  using _heartbeat = new ActivityHeartbeat();
  try {
    const { answer, connector: used } = await connectors.exchange(connector, request);
    return keptOf(used, answer, call.keep);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.outcome === 'unknown' && !repeats) throw outcomeUnknown(connector, error.message);
    throw failureOf(error, request.method, call);
  }
}

function failureOf(
  error: ConnectorError,
  method: Method,
  { attempts: { on, isBounded } = { on: [], isBounded: false } }: ConnectorCall,
): ApplicationFailure {
  if (error.outcome === 'nothing' || error.outcome === 'refused') recordNoEffect();
  if (isBounded && method !== 'GET' && isDoubtful(error)) return doubtful(error.message);
  return error.failure({ isRepeated: error.outcome === 'refused' && error.isOneOf(on) });
}

/** A refusal is an answer to the same call: what came before it was not carried out either. */
const isDoubtful = ({ outcome }: ConnectorError): boolean =>
  outcome === 'unknown' || (outcome === 'nothing' && isAfterDoubtfulAttempt());

function connectorNamed(connectors: Connectors, name: string): Connector {
  const connector = connectors.get(name);
  if (connector) return connector;
  const { names } = connectors;
  const known = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none, see LOCKERFLOW_CONNECTORS';
  throw refused('ConnectorUnknown', `${name} is not a connector of this worker; ${known}`);
}

function requestOf(connector: Connector, call: ConnectorCall) {
  try {
    const { path, body } = call;
    if (typeof path !== 'string') throw new TypeError('path must be a text');
    const asked = call.method ?? (body === undefined ? 'GET' : 'POST');
    const method = METHODS.find((each) => each === asked);
    if (!method) throw new TypeError(`method must be one of ${METHODS.join(', ')}`);
    if (method === 'GET' && body !== undefined) throw new TypeError('a GET has no body');
    const parts = partsOfPath(path);
    if (!isAllowed(connector.allow, method, parts)) throw notAllowed(connector, method, path);
    return {
      method,
      url: urlBelow(connector, parts, parametersOf(call.query)),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headersOfCall(connector, call.headers),
        ...connector.headers,
        ...(!repeatable.includes(method) && { 'idempotency-key': headerKey(keyOf(call)) }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
  } catch (error) {
    if (error instanceof TypeError) throw refused('InvalidRequest', `${connector.name}: ${error.message}`);
    throw error;
  }
}

/** By the author's own key, calls of several states or processes are one. */
function keyOf({ key = null, idempotencyKey }: ConnectorCall): string {
  if (key === null) return idempotencyKey;
  if ((typeof key === 'string' && key.trim() !== '') || typeof key === 'number') return `key ${key}`;
  throw new TypeError('key must be a text that is not empty, or a number');
}

/** Only those that the operator allows: a header can change what a call does. */
function headersOfCall({ name, callHeaders }: Connector, headers: Json = null): Record<string, string> {
  if (headers === null) return {};
  if (typeof headers !== 'object' || Array.isArray(headers)) throw new TypeError('headers must be a map');
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => {
      if (!callHeaders.includes(header.toLowerCase())) {
        const allowed = callHeaders.join(', ') || 'none';
        throw refused('CallNotAllowed', `${name}: the header ${header} is not allowed; allowed: ${allowed}`);
      }
      if (!/^[\x20-\x7e]{0,1000}$/.test(String(value)) || typeof value === 'object')
        throw new TypeError(`the header ${header} must be a text of at most 1000 visible ASCII characters`);
      return [header.toLowerCase(), String(value)];
    }),
  );
}

function notAllowed({ name, allow }: Connector, method: string, path: string): ApplicationFailure {
  const calls = allow.map(({ methods, path: pattern }) => `${methods.join(',')} ${pattern}`).join('; ');
  return refused(
    'CallNotAllowed',
    `${name}: ${method} ${path} is not allowed; allowed: ${calls || 'no call'}`,
  );
}

/** Longer than the key is honoured, a repetition would be a second call. */
function isRepeated({ idempotencyKeyMs }: Connector, method: Method): boolean {
  return repeatable.includes(method) || Date.now() - activityInfo().scheduledTimestampMs < idempotencyKeyMs;
}

function outcomeUnknown({ name, idempotencyKeyMs }: Connector, why: string): ApplicationFailure {
  const rest =
    idempotencyKeyMs > 0
      ? 'its Idempotency-Key is honoured no longer'
      : 'the connector honours no Idempotency-Key, so it is not repeated';
  return refused(
    'OutcomeUnknown',
    `${name}: it is not known whether the call was carried out (${why}); ${rest}`,
  );
}

/**
 * Only this of the answer enters the history. The secrets are gone before the expression sees it, so that it cannot take
 * one apart; and once more from what it gives, which may put one together.
 */
function keptOf(connector: Connector, answer: HttpAnswer, keep: Json | undefined): Json {
  if (keep === undefined) return null;
  const { status } = answer;
  const redaction = redactionOf(connector);
  try {
    const [headers, body] = [redaction.value(headersOf(answer)), redaction.value(bodyOf(answer))];
    const output = template(keep, 'input.keep', { environment: answerEnvironment })(
      { status, headers, body },
      new Budget(),
    );
    return redaction.value(output) as Json;
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    const done = `${connector.name}: the call was carried out (HTTP ${status}), but its keep fails`;
    throw refused(error.code, redaction.text(`${done}: ${error.message}`));
  }
}

/** A part of a secret address is hidden in pieces only if it is long enough to be a secret: `https://` is not. */
function redactionOf({ secrets, address }: Connector): Redaction {
  const { href, pathname, search, searchParams } = address;
  const wholes = [href, pathname, search];
  const parts = secrets.includes(href) ? [...pathname.split('/'), ...searchParams.values()] : [];
  return new Redaction(
    [
      ...secrets.filter((secret) => !wholes.includes(secret)),
      ...parts.filter(({ length }) => length >= LONG_SECRET_LENGTH),
    ],
    secrets.filter((secret) => wholes.includes(secret)),
  );
}

function headersOf({ headers }: HttpAnswer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
    ),
  );
}

/** JSON where it is; else its text. */
function bodyOf({ body, contentType }: HttpAnswer): unknown {
  const text = new TextDecoder().decode(body);
  if (text === '') return null;
  if (!/json/i.test(contentType ?? '') && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const refused = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true, category: 'BENIGN' });
