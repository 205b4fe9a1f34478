// The console in the matrix: persons of each role, and a page of another site in the browser of one who may do everything.
import { newTestConsole } from '../../console/console-world.ts';
import { consoleRoutes } from '../expected-routes.ts';
import {
  ANOTHER_SITE,
  type Answer,
  type Asked,
  accessIn,
  cell,
  type MatrixServer,
  NOWHERE,
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

/** No Temporal and no service: nothing gets so far. */
const nobody = {
  LOCKER_API_URL: NOWHERE,
  LOCKER_AUTH_URL: NOWHERE,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'none',
};

export async function consoleServer(stack: AsyncDisposableStack): Promise<MatrixServer> {
  const { server, routes } = await registeredRoutes(
    () => newTestConsole(nobody),
    (route) => (accessIn(consoleRoutes, nameOf(route)) === 'open' ? tellReached : onlyTellReached)(route),
  );
  const { address } = stack.use(server);
  const origin = { origin: address };
  const cookieOf = async (name: 'anna' | 'bram' | 'olga') => ({
    ...origin,
    cookie: await server.cookieOf(name),
  });
  const [anna, bram, olga] = await Promise.all([cookieOf('anna'), cookieOf('bram'), cookieOf('olga')]);
  const rowOf = (registered: RegisteredRoute): Row => {
    const route = nameOf(registered);
    const { method, url } = registered;
    const path = pathOf(url, { key: 'order-1', number: '1', flow: 'Issue', to: '2' });
    const asked: Asked = { method, path, headers: origin, body: '{}' };
    const foreign = method === 'POST' && { ...asked, headers: { ...olga, ...ANOTHER_SITE } };
    const site = foreign && { 'another site': cell(address, route, 403, foreign) };
    const access = accessIn(consoleRoutes, route) ?? 'look';
    if (access === 'open')
      return { route, access, cells: { 'no credentials': cell(address, route, TAKEN, asked), ...site } };
    const guessed = { ...asked, headers: { ...origin, cookie: 'lockerflow-console=guessed' } };
    const lesser = { look: undefined, decide: anna, administer: bram }[access];
    const byLesser = lesser && { ...asked, headers: lesser };
    return {
      route,
      access,
      cells: {
        'no credentials': cell(address, route, 401, asked),
        'wrong credentials': cell(address, route, 401, guessed),
        ...(byLesser && { 'wrong role': cell(address, route, 403, byLesser) }),
        ...site,
        'another spelling': spelled(address, [
          { asked, isAllowed: needs('open') },
          ...(byLesser ? [{ asked: byLesser, isAllowed: needs('open', 'look') }] : []),
          ...(foreign ? [{ asked: foreign, isAllowed: needs() }] : []),
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

const needs =
  (...accesses: readonly string[]) =>
  ({ reached }: Answer): boolean =>
    reached === undefined || accesses.includes(accessIn(consoleRoutes, reached) ?? 'unknown');
