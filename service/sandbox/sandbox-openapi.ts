// The paths under /sandbox, for the OpenAPI document of a service in staging.
import { failuresByStatus } from '../../contract/openapi/failure-answers.ts';
import type { DocumentExtension } from '../../contract/openapi/openapi.ts';
import { answerSchemas, reference, requestSchemas, type Schemas } from '../../contract/openapi/schemas.ts';
import { sandboxRoutes } from './sandbox.ts';
import type { SandboxRoute } from './sandbox-route.ts';

const TAG = 'Sandbox';

export function sandboxInDocument(): DocumentExtension {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of sandboxRoutes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return {
    tags: [
      {
        name: TAG,
        description:
          'Staging only: what an integrator needs to try a client. Each path acts on the tenant of the token alone. In production each is `NotAvailable`.',
      },
    ],
    paths,
    schemas: Object.assign({}, ...sandboxRoutes.map(schemasOf)) as Schemas,
  };
}

/** Like SandboxReset for POST, and GetSandboxClock for GET. */
function operationIdOf({ method, path }: SandboxRoute): string {
  const parts = path.split(/[^a-zA-Z]+/).filter((word) => word !== '');
  const name = parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return method === 'GET' ? `Get${name}` : name;
}

function schemasOf(route: SandboxRoute): Schemas {
  const name = operationIdOf(route);
  return {
    ...(route.method === 'POST' ? requestSchemas(`${name}Request`, route.input) : {}),
    ...answerSchemas(`${name}Answer`, route.answer),
  };
}

function operationOf(route: SandboxRoute): object {
  const { method, meaning, example, errors = [] } = route;
  const name = operationIdOf(route);
  const content = { schema: reference(`${name}Request`), example };
  return {
    operationId: name,
    tags: [TAG],
    summary: meaning,
    description: 'Exists in staging only. The published interface does not have it.',
    ...(method === 'POST'
      ? {
          requestBody: {
            required: !route.input.safeParse({}).success,
            content: { 'application/json': content },
          },
        }
      : { parameters: [] }),
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: reference(`${name}Answer`) } },
      },
      ...failuresByStatus(errors),
    },
  };
}
