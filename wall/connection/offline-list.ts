// Checks an offline list before the wall takes it: signed by a key of the service, for this wall, of this kind.
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import {
  OFFLINE_LIST_TYPE,
  type OfflineList,
  offlineListPayload,
  WALL_KEYS_PATH,
} from '../../contract/wall/wall-messages.ts';
import { TimeLimit } from '../../runtime/limits/time-limit.ts';

const TIMEOUT_MS = 10_000;
/** What the service signs with; no other, and none without a signature. */
const ALGORITHMS = ['ES256'];

/** Throws an Error that says what is wrong with it. */
export async function checkedOfflineList(
  list: string,
  serviceUrl: string,
  pupUid: string,
  asked: AbortSignal,
): Promise<OfflineList> {
  using limit = new TimeLimit(TIMEOUT_MS, asked);
  const answer = await fetch(serviceUrl + WALL_KEYS_PATH, { redirect: 'error', signal: limit.signal });
  if (!answer.ok) throw new Error(`the keys of the service were not to be had: ${answer.status}`);
  const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  const { payload, protectedHeader } = await compactVerify(list, keys, { algorithms: ALGORITHMS });
  if (protectedHeader.typ !== OFFLINE_LIST_TYPE)
    throw new Error(`it is of type ${protectedHeader.typ}, expected ${OFFLINE_LIST_TYPE}`);
  const content = offlineListPayload.parse(JSON.parse(new TextDecoder().decode(payload)));
  if (content.pupUid !== pupUid) throw new Error(`it is for ${content.pupUid}, expected ${pupUid}`);
  return content;
}
