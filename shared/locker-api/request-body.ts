// The bytes of a request and their content type, by the row's kind of body. Bytes, not a stream: a request that met
// an expired token is sent a second time.
import type { Operation } from '../../contract/index.ts';

export interface RequestBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export async function requestBody(kind: Operation['body'], request: unknown): Promise<RequestBody> {
  if (kind === 'json') return { contentType: 'application/json', body: JSON.stringify(request) };
  const form = new FormData();
  for (const [name, part] of Object.entries(Object(request)))
    form.set(name, isFile(part) ? new File([part.content], part.name) : JSON.stringify(part));
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

interface FilePart {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

function isFile(part: unknown): part is FilePart {
  return typeof part === 'object' && part !== null && 'content' in part && part.content instanceof Uint8Array;
}
