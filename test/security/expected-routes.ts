// Who may call each route of each server, typed by hand. A route that is new needs its line here: what registers without one
// fails the tests.

import type { ConsoleRole } from '../../console/access/user.ts';
import { operationNames, operationRow, TOKEN_PATH, WALL_PATH } from '../../contract/index.ts';

type Routes<Access extends string> = Readonly<Record<string, Access>>;

/** The API of processes: what a person needs, and a scope with which a program may call it. */
export const apiRoutes: Readonly<Record<string, { readonly role: ConsoleRole; readonly scope: string }>> = {
  'GET /openapi.json': { role: 'look', scope: 'flows:read' },
  'GET /v1/*': { role: 'look', scope: 'flows:read' },
  'POST /v1/*': { role: 'look', scope: 'flows:read' },
  'GET /v1/processes': { role: 'look', scope: 'flows:read' },
  'POST /v1/processes': { role: 'decide', scope: 'flows:start' },
  'GET /v1/processes/:key': { role: 'look', scope: 'flows:read' },
  'GET /v1/events': { role: 'look', scope: 'flows:read' },
  'POST /v1/events': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/events': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/answers': { role: 'decide', scope: 'inbox:desk' },
  'POST /v1/processes/:key/commands/claim': { role: 'decide', scope: 'inbox:desk' },
  'POST /v1/processes/:key/commands/release': { role: 'decide', scope: 'inbox:desk' },
  'POST /v1/processes/:key/commands/assign': { role: 'decide', scope: 'inbox:desk' },
  'POST /v1/processes/:key/commands/cancel': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/extend': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/shorten': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/undoExtension': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/setReceiver': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/removeReceiver': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/retry': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/adopt': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/setState': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/dropEvent': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/giveUp': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/note': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/message': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/sendMechanic': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/move': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/processes/:key/commands/startAgain': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/processes/:key/details': { role: 'look', scope: 'flows:read' },
  'GET /v1/processes/:key/chart.svg': { role: 'look', scope: 'flows:read' },
  'GET /v1/processes/:key/subject': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/processes/:key/history': { role: 'look', scope: 'flows:read' },
  'GET /v1/processes/:key/doors': { role: 'look', scope: 'flows:read' },
  'GET /v1/inbox/entries': { role: 'look', scope: 'flows:read' },
  'POST /v1/items-out/:shipmentUid/settled': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/items-left/:lockerUid/emptied': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/lockers/:lockerUid/out-of-order': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/lockers/:lockerUid/open': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/shipments/:shipmentUid/open': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/shipments/:shipmentUid/access-by-hand': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/shipments/:shipmentUid/message': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/messages': { role: 'look', scope: 'flows:read' },
  'POST /v1/walls/:pupUid/mechanic': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/walls/:pupUid/mechanic': { role: 'look', scope: 'flows:read' },
  'POST /v1/unmatched/:id/claim': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/unmatched/:id/drop': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/batches': { role: 'look', scope: 'flows:read' },
  'POST /v1/batches': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/batches/:id': { role: 'look', scope: 'flows:read' },
  'GET /v1/batches/:id/outcomes': { role: 'look', scope: 'flows:read' },
  'POST /v1/batches/:id/pause': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/batches/:id/resume': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/batches/:id/cancel': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/batches/:id/retry-failed': { role: 'decide', scope: 'flows:decide' },
  'POST /v1/batches/:id/undo': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/counts': { role: 'look', scope: 'flows:read' },
  'GET /v1/expected': { role: 'look', scope: 'flows:read' },
  'GET /v1/search': { role: 'look', scope: 'flows:read' },
  'GET /v1/people/:userUid': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/items/:reference': { role: 'look', scope: 'flows:read' },
  'GET /v1/log': { role: 'look', scope: 'flows:read' },
  'POST /v1/inbox/entries/snooze': { role: 'decide', scope: 'flows:decide' },
  'GET /v1/inbox': { role: 'look', scope: 'inbox:desk' },
  'GET /v1/flows': { role: 'look', scope: 'flows:read' },
  'POST /v1/flows': { role: 'administer', scope: 'flows:publish' },
  'POST /v1/flows/:flow/current': { role: 'administer', scope: 'flows:publish' },
  'GET /v1/flows/:flow': { role: 'look', scope: 'flows:read' },
  'GET /v1/flows/:flow/chart': { role: 'look', scope: 'flows:read' },
  'GET /v1/flows/:flow/chart.svg': { role: 'look', scope: 'flows:read' },
  'GET /v1/flows/:flow/status': { role: 'look', scope: 'flows:read' },
  'POST /v1/flows/:flow/schedules/:schedule/pause': { role: 'administer', scope: 'flows:publish' },
  'POST /v1/flows/:flow/schedules/:schedule/resume': { role: 'administer', scope: 'flows:publish' },
  'POST /v1/flows/:flow/schedules/:schedule/run': { role: 'decide', scope: 'flows:start' },
  'GET /v1/flows/:flow/form': { role: 'look', scope: 'flows:read' },
};

/** HEAD needs what GET needs. */
export const consoleRoutes: Routes<'open' | ConsoleRole> = {
  'GET /*': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /api/*': 'look',
  'GET /api/me': 'open',
  'GET /api/sign-in/provider': 'open',
  'GET /api/sign-in/provider/callback': 'open',
  'POST /api/sign-in': 'open',
  'POST /api/sign-in/link': 'open',
  'POST /api/sign-out': 'open',
  'GET /api/walls': 'look',
  'GET /api/walls/:pupUid': 'look',
  'GET /api/walls/held': 'decide',
  'GET /api/desk/lockers/:pupUid': 'decide',
  'GET /api/desk/people': 'decide',
  'GET /api/desk/items': 'decide',
  'POST /api/desk/codes': 'decide',
  'GET /docs': 'open',
  'GET /docs/start.js': 'open',
  'GET /docs/:version/swagger-ui.css': 'open',
  'GET /docs/:version/swagger-ui-bundle.js': 'open',
  ...Object.fromEntries(Object.entries(apiRoutes).map(([route, { role }]) => [route, role])),
};

const openOfService: Routes<'open'> = {
  'GET /': 'open',
  'GET /docs': 'open',
  'GET /docs/start.js': 'open',
  'GET /docs/:version/swagger-ui.css': 'open',
  'GET /docs/:version/swagger-ui-bundle.js': 'open',
  'GET /openapi.json': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /.well-known/jwks.json': 'open',
  'GET /.well-known/oauth-authorization-server': 'open',
  [`POST ${TOKEN_PATH}`]: 'open',
};

/** Each operation of the contract needs the token of a tenant. */
const operations: Routes<'tenant'> = Object.fromEntries(
  operationNames.map((name) => [`POST ${operationRow(name).path}`, 'tenant']),
);

type ServiceRoutes = Routes<'open' | 'tenant' | 'wall' | 'nobody'>;

const everywhere: ServiceRoutes = {
  ...openOfService,
  ...operations,
  [`GET ${WALL_PATH}`]: 'wall',
};

export const productionRoutes: ServiceRoutes = {
  ...everywhere,
  [`POST ${operationRow('SimulateLockerAccess').path}`]: 'nobody',
  '* /sandbox/*': 'nobody',
};

export const stagingRoutes: ServiceRoutes = {
  ...everywhere,
  'GET /sandbox/clock': 'tenant',
  'POST /sandbox/clock': 'tenant',
  'POST /sandbox/faults': 'tenant',
  'POST /sandbox/reset': 'tenant',
  'GET /sandbox/switches': 'tenant',
  'POST /sandbox/switches': 'tenant',
};

/** The simulated walls: who reaches them may do everything that a person before a wall may. */
export const wallRoutes: Routes<'open'> = {
  'GET /': 'open',
  'GET /walls': 'open',
  'GET /walls.mjs': 'open',
  'GET /kiosk.mjs': 'open',
  'GET /open-doors.mjs': 'open',
  'GET /doors.mjs': 'open',
  'GET /wall-program.mjs': 'open',
  'GET /kiosk.css': 'open',
  'GET /base.css': 'open',
  'GET /parts.css': 'open',
  'GET /icon.svg': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /walls/:pupUid': 'open',
  'GET /walls/:pupUid/doors': 'open',
  'GET /walls/:pupUid/events': 'open',
  'POST /walls/:pupUid/code': 'open',
  'POST /walls/:pupUid/close': 'open',
  'POST /walls/:pupUid/item': 'open',
  'POST /walls/:pupUid/key': 'open',
  'POST /walls/:pupUid/fault': 'open',
  'POST /walls/:pupUid/cable': 'open',
};

export const receiverRoutes: Routes<'open' | 'signed'> = {
  'POST /callbacks': 'signed',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
};

export const codecRoutes: Routes<'open' | 'secret'> = {
  'GET /': 'open',
  // It takes the secret itself.
  'POST /sign-in': 'secret',
  'POST /decode': 'secret',
  'POST /encode': 'secret',
};
