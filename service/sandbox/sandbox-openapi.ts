// The part of the OpenAPI document that only a staging service has: the routes below /sandbox, from what each route says of
// itself.
import { z } from 'zod';
import { failuresByStatus } from '../../contract/openapi/failure-answers.ts';
import type { MoreOfDocument } from '../../contract/openapi/openapi.ts';
import {
  answerSchemas,
  type JsonSchema,
  reference,
  requestSchemas,
  type Schemas,
} from '../../contract/openapi/schemas.ts';
import { sandboxRoutes } from './sandbox.ts';
import type { SandboxRoute } from './sandbox-route.ts';

const TAG = 'Sandbox';

export function sandboxInDocument(): MoreOfDocument {
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

/** Like SandboxReset for POST, and GetSandboxEvents for GET. */
function nameOf({ method, path }: SandboxRoute): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return method === 'GET' ? `Get${name}` : name;
}

function schemasOf(route: SandboxRoute): Schemas {
  const name = nameOf(route);
  return {
    ...(route.method === 'POST' ? requestSchemas(`${name}Request`, route.input) : {}),
    ...answerSchemas(`${name}Answer`, route.answer),
  };
}

function operationOf(route: SandboxRoute): object {
  const { method, meaning, example, errors = [] } = route;
  const name = nameOf(route);
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
      : { parameters: parametersOf(route) }),
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: reference(`${name}Answer`) } },
      },
      ...failuresByStatus(errors),
    },
  };
}

function parametersOf({ input }: SandboxRoute): object[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...schema } = property;
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema };
  });
}
