// The console in the matrix: persons of each role, programs of another tenant and of another inbox, and a page of another site
// in the browser of one who may do everything.

import { everyFlowScope } from '../../../contract/wire/token.ts';
import { newTestConsole, withoutService } from '../../console/console-world.ts';
import { apiRoutes, consoleRoutes } from '../expected-routes.ts';
import {
  ANOTHER_SITE,
  type Answer,
  accessIn,
  answered,
  cell,
  type MatrixRequest,
  type MatrixServer,
  namesOf,
  onlyTellReached,
  pathOf,
  type Row,
  rowsOfRoutes,
  spelled,
  TAKEN,
  tellReached,
} from '../matrix.ts';
import { nameOf, type RegisteredRoute, registeredRoutes } from '../registered-routes.ts';
import { tokenIssuer } from './token-issuer.ts';

export async function consoleServer(stack: AsyncDisposableStack): Promise<MatrixServer> {
  const issuer = stack.use(await tokenIssuer());
  const { server, routes } = await registeredRoutes(
    () => newTestConsole({ ...withoutService, ...issuer.settings }),
    (route) =>
      (accessIn(consoleRoutes, nameOf(route)) === 'open' || isInbox(nameOf(route))
        ? tellReached
        : onlyTellReached)(route),
  );
  const { address } = stack.use(server);
  const origin = { origin: address };
  const cookieOf = async (name: 'anna' | 'bram' | 'olga') => ({
    ...origin,
    cookie: await server.cookieOf(name),
  });
  const [anna, bram, olga] = await Promise.all([cookieOf('anna'), cookieOf('bram'), cookieOf('olga')]);
  const [another, foreign] = await Promise.all([
    issuer.bearer('other', ...everyFlowScope, 'inbox:desk'),
    issuer.bearer('demo', 'inbox:other'),
  ]);
  /** Of the routes of programs. What is of the page alone takes no token. */
  const byToken = (route: string, asked: MatrixRequest) => {
    const { scope } = accessIn(apiRoutes, route) ?? {};
    const ofDesk = { ...asked, headers: { ...origin, ...foreign }, path: `${asked.path}?of=desk` };
    // Which question is meant says the body, so the process decides: test/processes/commands/inboxes.test.ts.
    const isJudgedLater = scope === 'inbox:desk' && !isInbox(route);
    return {
      'token of another tenant': cell(address, route, scope ? 403 : 401, {
        ...asked,
        headers: { ...origin, ...another },
      }),
      'token of another inbox': isJudgedLater
        ? cell(address, route, TAKEN, { ...asked, headers: { ...origin, ...foreign } })
        : answered(address, scope ? 403 : 401, ofDesk),
    };
  };
  const rowOf = (registered: RegisteredRoute): Row => {
    const route = nameOf(registered);
    const { method, url } = registered;
    const path = pathOf(url, { key: 'order-1', number: '1', flow: 'Issue', to: '2' });
    const asked: MatrixRequest = { method, path, headers: origin, body: '{}' };
    const bySite = method === 'POST' && { ...asked, headers: { ...olga, ...ANOTHER_SITE } };
    const site = bySite && { 'another site': cell(address, route, 403, bySite) };
    const access = accessIn(consoleRoutes, route) ?? 'look';
    if (access === 'open')
      return { route, access, cells: { 'no credentials': cell(address, route, TAKEN, asked), ...site } };
    const guessed = { ...asked, headers: { ...origin, cookie: `${anna.cookie.split('=')[0]}=guessed` } };
    const lesser = { look: undefined, decide: anna, administer: bram }[access];
    const byLesser = lesser && { ...asked, headers: lesser };
    return {
      route,
      access,
      cells: {
        'no credentials': cell(address, route, 401, asked),
        'wrong credentials': cell(address, route, 401, guessed),
        ...(byLesser && { 'wrong role': cell(address, route, 403, byLesser) }),
        ...byToken(route, asked),
        ...site,
        'another spelling': spelled(address, [
          { asked, isAllowed: needs('open') },
          ...(byLesser ? [{ asked: byLesser, isAllowed: needs('open', 'look') }] : []),
          ...(bySite ? [{ asked: bySite, isAllowed: needs() }] : []),
          { asked: { ...asked, headers: { ...origin, ...another } }, isAllowed: needs('open') },
        ]),
      },
    };
  };
  return {
    registered: namesOf(routes),
    expected: Object.keys(consoleRoutes),
    rows: rowsOfRoutes(routes, rowOf),
  };
}

/** Its handler itself asks which inbox is meant. */
const isInbox = (route: string): boolean => /^(?:GET|HEAD) \/v1\/inbox$/.test(route);

const needs =
  (...accesses: readonly string[]) =>
  ({ reached }: Answer): boolean =>
    reached === undefined || accesses.includes(accessIn(consoleRoutes, reached) ?? 'unknown');
