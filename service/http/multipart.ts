// Reads the multipart/form-data body of an upload: the part `data` is JSON, the part `file` a file. The type in a part's own headers
// is ignored.
import fastifyMultipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ContractError } from '../../contract/index.ts';
import { ApiError, tooManyRequests } from '../api-error.ts';

export interface MultipartLimits {
  readonly fileBytes: number;
  /** The limit for a part that is JSON. */
  readonly jsonBytes: number;
  /** Bodies in memory at once. The sender of one more gets RateLimitExceeded. */
  readonly concurrent: number;
}

/** Parts of one body, unknown ones included: an endless row of empty parts would keep a connection busy for nothing. */
const MAX_PARTS = 20;
/** Places kept for tenants without an upload: else one tenant that sends slowly could take all places. */
const KEPT_FOR_OTHERS = 1 / 4;
/** An upload under way takes some seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Prepares a scope of routes for multipart bodies, and for no others. */
export function acceptMultipart(scope: FastifyInstance, limits: MultipartLimits): void {
  scope.removeAllContentTypeParsers();
  scope.register(fastifyMultipart, {
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: MAX_PARTS, fileSize: Math.max(limits.fileBytes, limits.jsonBytes) },
  });
  // Any other body stays unread; readMultipart refuses it with its own message.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const forOthers = Math.ceil(limits.concurrent * KEPT_FOR_OTHERS);
  /** Requests whose body is in memory, with their tenant. */
  const underWay = new Map<FastifyRequest, string | undefined>();
  scope.addHook('preParsing', async (request, reply) => {
    const tenantUid = request.apiClient?.tenantUid;
    const hasOne = [...underWay.values()].includes(tenantUid);
    if (underWay.size >= limits.concurrent - (hasOne ? forOthers : 0))
      throw tooManyRequests(RETRY_AFTER_SECONDS);
    underWay.set(request, tenantUid);
    // Fires once the answer is sent or the client is gone: until then the body is in memory.
    reply.raw.once('close', () => underWay.delete(request));
  });
}

/** The body as parseRequest takes it. Throws ContractError or ApiError. */
export async function readMultipart(
  request: FastifyRequest,
  limits: MultipartLimits,
): Promise<Record<string, unknown>> {
  if (!request.isMultipart())
    throw new ApiError('InvalidRequest', 'Content-Type must be multipart/form-data, with a boundary');
  try {
    return await readParts(request, limits);
  } catch (error) {
    if (codeOf(error) === 'FST_PARTS_LIMIT')
      throw new ApiError('PayloadTooLarge', `The body has more than ${MAX_PARTS} parts: send data and file`);
    if (error instanceof ApiError || error instanceof ContractError || isHttpError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError('InvalidRequest', `The multipart body is broken or cut off (${reason})`);
  } finally {
    // The sender of a refused body sees the answer only after the whole body was read.
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function readParts(request: FastifyRequest, limits: MultipartLimits): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for await (const part of request.parts()) {
    // The library gives every part as a file, so its bytes are counted while they arrive.
    if (part.type !== 'file') throw new TypeError('A part came as a field');
    const name = part.fieldname?.toLowerCase();
    if (name !== 'data' && name !== 'file') await drain(part);
    else if (Object.hasOwn(body, name))
      throw invalidPart(name, 'is given more than once; send one part of this name');
    else if (name === 'data') body.data = jsonOf(await contentOf(part, name, limits.jsonBytes), name);
    else body.file = { name: part.filename ?? '', content: await contentOf(part, name, limits.fileBytes) };
  }
  return body;
}

const codeOf = (error: unknown): unknown => error instanceof Error && 'code' in error && error.code;

/** The library's own errors: failure.ts knows them by their status. */
const isHttpError = (error: unknown): boolean => error instanceof Error && 'statusCode' in error;

async function contentOf({ file }: MultipartFile, property: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > limit || file.truncated)
      throw new ApiError(
        'PayloadTooLarge',
        `Part ${property} is larger than ${limit.toLocaleString('en')} bytes`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function drain({ file }: MultipartFile): Promise<void> {
  for await (const _chunk of file);
}

/** An empty part is as good as none. */
function jsonOf(content: Buffer, property: string): unknown {
  const text = new TextDecoder().decode(content).trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidPart(property, 'must be a JSON object, like {"reference":"May 2031"}');
  }
}

const invalidPart = (field: string, message: string): ContractError =>
  new ContractError('InvalidRequest', [{ field, message }]);
