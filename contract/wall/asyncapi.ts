// The wall protocol as an AsyncAPI 3 document, made from the messages' schemas: what tools read beside
// docs/walls.md.
import { z } from 'zod';
import { TOKEN_PATH } from '../wire/token.ts';
import {
  offlineListPayload,
  serviceMessages,
  WALL_PATH,
  WALL_PROTOCOL,
  WALL_SCOPE,
  wallMessages,
} from './wall-messages.ts';

type Message = (typeof wallMessages)[number] | (typeof serviceMessages)[number];

/** Both sides say `taken`: of different things. */
const nameOf = (message: Message, side: 'Wall' | 'Service'): string => {
  const [type = ''] = message.shape.type.values;
  return type === 'taken' ? `takenBy${side}` : type;
};

const schemaOf = (schema: z.ZodType): object => {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return document;
};

const messagesOf = (messages: readonly Message[], side: 'Wall' | 'Service') =>
  messages.map((message) => ({
    key: nameOf(message, side),
    definition: { name: [...message.shape.type.values][0], payload: schemaOf(message) },
  }));

export function asyncApiDocument(): object {
  const fromWall = messagesOf(wallMessages, 'Wall');
  const fromService = messagesOf(serviceMessages, 'Service');
  const refersTo = (place: string, keys: readonly { readonly key: string }[]) =>
    keys.map(({ key }) => ({ $ref: `#/${place}/${key}` }));
  const all = [...fromWall, ...fromService];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'The wall protocol of the locker service',
      version: WALL_PROTOCOL,
      description:
        'What the controller of a locker installation and the service say to each other over one WebSocket: one JSON ' +
        'object in each text frame. docs/walls.md has the rules.',
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host: 'the service',
        protocol: 'wss',
        security: [{ $ref: '#/components/securitySchemes/wall' }],
      },
    },
    channels: {
      wall: {
        address: WALL_PATH,
        messages: Object.fromEntries(all.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }])),
        bindings: {
          ws: {
            method: 'GET',
            headers: {
              type: 'object',
              required: ['Authorization', 'Sec-WebSocket-Protocol'],
              properties: {
                Authorization: {
                  type: 'string',
                  description: `Bearer, with a token of the scope ${WALL_SCOPE}`,
                },
                'Sec-WebSocket-Protocol': { const: WALL_PROTOCOL },
              },
            },
          },
        },
      },
    },
    operations: {
      hear: {
        action: 'receive',
        summary: 'The service hears the wall',
        channel: { $ref: '#/channels/wall' },
        messages: refersTo('channels/wall/messages', fromWall),
      },
      tell: {
        action: 'send',
        summary: 'The service tells the wall',
        channel: { $ref: '#/channels/wall' },
        messages: refersTo('channels/wall/messages', fromService),
      },
    },
    components: {
      messages: Object.fromEntries(all.map(({ key, definition }) => [key, definition])),
      schemas: { offlineListPayload: schemaOf(offlineListPayload) },
      securitySchemes: {
        wall: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `https://the-service${TOKEN_PATH}`,
              availableScopes: { [WALL_SCOPE]: 'Connect as the wall of one pick up point' },
            },
          },
        },
      },
    },
  };
}
